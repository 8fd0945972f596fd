#include "dalembert/claims/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/error.hpp"

namespace dalembert::study {

std::string verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::qualified:
      return "holds with a qualification";
    case Verdict::undecided:
      return "too short to decide";
    case Verdict::undecidable:
      return "cannot be decided";
    case Verdict::fails:
      break;
  }
  return "fails";
}

namespace {

/// What the numbers of one form of a statement say together.
struct Standing {
  bool is_empty = true;  ///< no number belongs to it
  bool is_met = true;
  bool is_open = false;  ///< no number surely misses, but some decide nothing
};

bool has_role(const std::vector<Evidence>& evidence, EvidenceRole role) {
  return std::any_of(evidence.begin(), evidence.end(),
                     [role](const Evidence& e) { return e.role == role; });
}

/// Of the numbers that belong to the form, that is, have its role or `both`.
Standing standing(const std::vector<Evidence>& evidence, EvidenceRole form) {
  Standing result;
  bool is_missed = false;
  for (const Evidence& e : evidence) {
    if (e.role != form && e.role != EvidenceRole::both) continue;
    result.is_empty = false;
    result.is_met = result.is_met && e.is_met();
    is_missed = is_missed || e.is_missed();
  }
  result.is_open = !result.is_empty && !result.is_met && !is_missed;
  result.is_met = result.is_met && !result.is_empty;
  return result;
}

/// The digits that the uncertainty leaves, at least one and at most four; two where there is none.
int digits_of(double value, double uncertainty) {
  if (uncertainty == 0.0 || value == 0.0) return 2;
  const double digits = std::floor(std::log10(std::fabs(value))) -
                        std::floor(std::log10(std::fabs(uncertainty))) + 1.0;
  return static_cast<int>(std::clamp(digits, 1.0, 4.0));
}

/// As "2.8e-7", "0.31", "1200": plain from 1e-3 to 1e5.
std::string digits_text(double value, double uncertainty) {
  if (!std::isfinite(value)) return "(not measurable)";
  if (value == std::floor(value) && std::fabs(value) < 1e5) return fmt::format("{:.0f}", value);
  const int digits = digits_of(value, uncertainty);
  std::string text = fmt::format("{:.{}e}", value, digits - 1);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  if (exponent >= -3 && exponent < 5)
    return fmt::format("{:.{}f}", std::stod(text), std::max<int>(0, digits - 1 - exponent));
  return text.substr(0, e) + "e" + std::to_string(exponent);
}

/// The next { that opens a name, not an exponent as in DLA^{1/2}; the size if there is none.
std::size_t next_brace(const std::string& text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '{' && (i == 0 || (text[i - 1] != '^' && text[i - 1] != '_'))) return i;
  }
  return text.size();
}

}  // namespace

bool Evidence::is_met() const {
  return std::isfinite(value) && std::isfinite(uncertainty) && value - uncertainty >= least &&
         value + uncertainty <= most;
}

bool Evidence::is_missed() const {
  if (!std::isfinite(value)) return !std::isinf(uncertainty);
  return value - uncertainty > most || value + uncertainty < least;
}

Evidence not_stated(const std::string& what) {
  return {.what = what,
          .value = std::numeric_limits<double>::quiet_NaN(),
          .role = EvidenceRole::published,
          .is_stated = false};
}

Evidence named(const std::string& name, Evidence evidence) {
  evidence.name = name;
  return evidence;
}

Verdict judge(const std::vector<Evidence>& evidence) {
  if (!std::all_of(evidence.begin(), evidence.end(), [](const Evidence& e) { return e.is_stated; }))
    return Verdict::undecidable;
  const Standing published = standing(evidence, EvidenceRole::published);
  if (published.is_open) return Verdict::undecided;
  if (published.is_met) return Verdict::holds;
  if (!has_role(evidence, EvidenceRole::qualified))
    return published.is_empty ? Verdict::undecided : Verdict::fails;
  const Standing qualified = standing(evidence, EvidenceRole::qualified);
  if (qualified.is_open) return Verdict::undecided;
  return qualified.is_met ? Verdict::qualified : Verdict::fails;
}

std::size_t decisive_evidence(const std::vector<Evidence>& evidence) {
  const auto first = [&](auto condition) {
    const auto found = std::find_if(evidence.begin(), evidence.end(), [&](const Evidence& e) {
      return (e.role == EvidenceRole::both || e.role == EvidenceRole::published) && condition(e);
    });
    return static_cast<std::size_t>(found - evidence.begin());
  };
  std::size_t index = first([](const Evidence& e) { return e.is_missed(); });
  if (index == evidence.size()) index = first([](const Evidence& e) { return !e.is_met(); });
  if (index == evidence.size()) index = first([](const Evidence&) { return true; });
  return index;
}

std::string with_each_name(const std::string& text,
                           const std::function<std::string(const std::string&)>& in_place_of) {
  std::string filled;
  std::size_t begin = 0;
  for (std::size_t open = next_brace(text, 0); open < text.size(); open = next_brace(text, begin)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) throw RequestError("a brace is not closed: " + text);
    filled += text.substr(begin, open - begin);
    filled += in_place_of(text.substr(open + 1, close - open - 1));
    begin = close + 1;
  }
  return filled + text.substr(begin);
}

std::string with_numbers(const std::string& text, const std::vector<Evidence>& evidence) {
  return with_each_name(text, [&](const std::string& name) {
    const auto named = std::find_if(evidence.begin(), evidence.end(),
                                    [&](const Evidence& e) { return e.name == name; });
    if (name.empty() || named == evidence.end())
      throw RequestError("no number is called {" + name + "}: " + text);
    return digits_text(named->value, named->uncertainty);
  });
}

}  // namespace dalembert::study
