// What a reproduction prints: a row per claim, and the same as JSON.
#include "reproduce/reproduction_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/version.hpp"
#include "evidence_text.hpp"
#include "reproduce/reproduce.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t line_width = 110;

/// The text in lines of limited width, each indented.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::string result, line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t space = numeric::smaller(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, space - begin);
    if (!line.empty() && indent.size() + line.size() + word.size() >= line_width) {
      result += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    begin = space + 1;
  }
  return line.empty() ? result : result + indent + line + "\n";
}

/// + for bounds met, - for bounds missed, ? for neither, blank where there are none.
const char* sign_of(const Evidence& evidence) {
  if (evidence.role == EvidenceRole::shown) return " ";
  return evidence.is_met() ? "+" : evidence.is_missed() ? "-" : "?";
}

std::string row_text(const ClaimRow& row) {
  const std::string verdict = verdict_text(row.verdict);
  const std::string recorded =
      row.is_as_recorded() ? "" : "   RECORDED: " + verdict_text(row.expected());
  std::string text = fmt::format("{:<8}  {}{}\n", row.record.id, verdict, recorded);
  text += wrapped(row.record.statement + " (" + row.record.source + ")", "          ");
  for (const Evidence& evidence : row.evidence)
    text += fmt::format("          {} {}\n", sign_of(evidence), evidence_text(evidence));
  text += wrapped(row.qualification(), "          ");
  return text;
}

Json bound_json(double bound) { return std::isfinite(bound) ? Json(bound) : Json(nullptr); }
Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json evidence_json(const Evidence& evidence) {
  return {{"what", evidence.what},
          {"value", number_json(evidence.value)},
          {"uncertainty", number_json(evidence.uncertainty)},
          {"least", bound_json(evidence.least)},
          {"most", bound_json(evidence.most)},
          {"role", role_text(evidence.role)},
          {"name", evidence.name},
          {"met", evidence.is_met()},
          {"missed", evidence.is_missed()}};
}

Json claim_json(const ClaimRow& row) {
  Json numbers = Json::array();
  for (const Evidence& evidence : row.evidence) numbers.push_back(evidence_json(evidence));
  return {{"id", row.record.id},
          {"paper", row.record.paper},
          {"experiment", row.record.experiment},
          {"source", row.record.source},
          {"statement", row.record.statement},
          {"verdict", verdict_text(row.verdict)},
          {"recorded", verdict_text(row.expected())},
          {"as_recorded", row.is_as_recorded()},
          {"qualification", row.qualification()},
          {"numbers", numbers}};
}

}  // namespace

std::string reproduction_text(const std::vector<Reproduced>& results) {
  std::string text;
  std::size_t claims = 0, as_recorded = 0;
  for (const Reproduced& result : results) {
    text += fmt::format("{}/{}  {} ({:.1f} s)\n", result.choice.paper->name,
                        result.choice.experiment->name, result.choice.experiment->title,
                        result.seconds);
    for (const ClaimRow& row : result.claims) {
      text += row_text(row);
      ++claims;
      as_recorded += row.is_as_recorded() ? 1 : 0;
    }
    text += "\n";
  }
  return text + (as_recorded == claims ? fmt::format("all {} with the recorded verdict\n", claims)
                                       : fmt::format("{} claims, {} with the recorded verdict\n",
                                                     claims, as_recorded));
}

std::string reproduction_json(const std::vector<Reproduced>& results, bool quick) {
  Json claims = Json::array();
  for (const Reproduced& result : results) {
    for (const ClaimRow& row : result.claims) claims.push_back(claim_json(row));
  }
  return Json{{"dalembert", version()}, {"quick", quick}, {"claims", claims}}.dump(2) + "\n";
}

}  // namespace dalembert::reproduce
