#include "demand.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dalembert/problem/expressions.hpp"

namespace dalembert::reproduce {

using namespace study;

std::vector<std::string> read_texts(const DocumentNode* node,
                                    const std::vector<std::string>& otherwise) {
  if (node == nullptr) return otherwise;
  std::vector<std::string> texts;
  for (const DocumentNode& entry : as_list(*node)) texts.push_back(as_text(entry));
  return texts;
}

std::optional<double> read_number(const DocumentNode* node) {
  if (node == nullptr) return std::nullopt;
  return parse_constant(*node);
}

Demand read_demand(TableReader& table) {
  Demand demand{.claim = as_text(table.require("claim")),
                .methods = read_texts(table.find("method"), {})};
  demand.least = read_number(table.find("least")).value_or(-infinite);
  demand.most = read_number(table.find("most")).value_or(infinite);
  demand.role = read_word<EvidenceRole>(table.find("role"), EvidenceRole::both,
                                        {{"both", EvidenceRole::both},
                                         {"published", EvidenceRole::published},
                                         {"qualified", EvidenceRole::qualified},
                                         {"shown", EvidenceRole::shown}});
  demand.name = table.text("name");
  demand.node = table.node();
  return demand;
}

void Demand::require_bounds() const {
  if (!has_bounds() && role != EvidenceRole::shown)
    node.refuse("has neither least nor most and decides nothing; give one, or role = \"shown\"");
}

void Demand::refuse_bounds_beside(const std::string& what) const {
  if (has_bounds()) node.refuse("has least or most beside " + what + ", which gives the bounds");
}

std::vector<std::string> StudyEntry::twice_as_long(const Study& of) const {
  std::vector<std::string> all = settings;
  all.push_back(of.until ? fmt::format("run.until={}", 2.0 * *of.until)
                         : fmt::format("run.steps={}", 2 * of.step_count.value()));
  return all;
}

void add(std::vector<ClaimFinding>& findings, const std::string& claim, Evidence evidence) {
  auto same = std::ranges::find(findings, claim, &ClaimFinding::claim);
  if (same == findings.end()) same = findings.insert(findings.end(), {claim, {}});
  same->evidence.push_back(std::move(evidence));
}

void add_of_longer(std::vector<ClaimFinding>& findings, const std::string& claim,
                   Evidence evidence) {
  if (!evidence.is_met() && !evidence.is_missed()) evidence.role = EvidenceRole::shown;
  add(findings, claim, std::move(evidence));
}

}  // namespace dalembert::reproduce
