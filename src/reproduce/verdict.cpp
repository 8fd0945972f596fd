#include "dalembert/reproduce/verdict.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert::reproduce {

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::qualified:
      return "holds with a qualification";
    case Verdict::fails:
      break;
  }
  return "fails";
}

bool Evidence::is_met() const {
  return std::isfinite(value) && std::isfinite(uncertainty) && value - uncertainty >= least &&
         value + uncertainty <= most;
}

Verdict judge(const std::vector<Evidence>& evidence) {
  const auto count = [&](EvidenceRole role) {
    return std::count_if(evidence.begin(), evidence.end(),
                         [role](const Evidence& e) { return e.role == role; });
  };
  const auto all_met = [&](EvidenceRole role) {
    return std::all_of(evidence.begin(), evidence.end(),
                       [role](const Evidence& e) { return e.role != role || e.is_met(); });
  };
  if (!all_met(EvidenceRole::both)) return Verdict::fails;
  if (count(EvidenceRole::both) + count(EvidenceRole::published) > 0 &&
      all_met(EvidenceRole::published))
    return Verdict::holds;
  const bool has_form = count(EvidenceRole::qualified) > 0;
  return has_form && all_met(EvidenceRole::qualified) ? Verdict::qualified : Verdict::fails;
}

std::size_t decisive_evidence(const std::vector<Evidence>& evidence) {
  std::size_t first = evidence.size();
  for (std::size_t i = 0; i < evidence.size(); ++i) {
    const bool decides =
        evidence[i].role == EvidenceRole::both || evidence[i].role == EvidenceRole::published;
    if (decides && !evidence[i].is_met()) return i;
    if (decides && first == evidence.size()) first = i;
  }
  return first;
}

}  // namespace dalembert::reproduce
