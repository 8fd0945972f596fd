#include "evidence_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dalembert::reproduce {

using namespace study;

std::string role_text(EvidenceRole role) {
  switch (role) {
    case EvidenceRole::both:
      return "both";
    case EvidenceRole::published:
      return "published";
    case EvidenceRole::qualified:
      return "qualified";
    case EvidenceRole::shown:
      break;
  }
  return "shown";
}

std::string measured_text(const Evidence& evidence) {
  if (!evidence.is_stated) return "not in the text";
  if (!std::isfinite(evidence.value))
    return std::isinf(evidence.uncertainty) ? "too short to measure" : "not measurable";
  if (evidence.uncertainty == 0.0) return fmt::format("{:.3g}", evidence.value);
  return fmt::format("{:.3g} +- {:.1g}", evidence.value, evidence.uncertainty);
}

std::string bounds_text(const Evidence& evidence) {
  if (evidence.role == EvidenceRole::shown || !evidence.is_stated) return "";
  const std::string of = evidence.role == EvidenceRole::published   ? " for the statement"
                         : evidence.role == EvidenceRole::qualified ? " for its qualified form"
                                                                    : "";
  const bool below = std::isfinite(evidence.most), above = std::isfinite(evidence.least);
  if (below && above) return fmt::format("{:.3g} to {:.3g}{}", evidence.least, evidence.most, of);
  if (below) return fmt::format("at most {:.3g}{}", evidence.most, of);
  if (above) return fmt::format("at least {:.3g}{}", evidence.least, of);
  return "finite" + of;
}

std::string evidence_text(const Evidence& evidence) {
  const std::string bounds = bounds_text(evidence);
  return evidence.what + ": " + measured_text(evidence) +
         (bounds.empty() ? "" : " (" + bounds + ")");
}

}  // namespace dalembert::reproduce
