#include "exactness_numbers.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "dalembert/audit/exactness.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Properties that are asked of methods of a study.
struct ExactnessDemand {
  Demand demand;
  std::vector<std::string> properties;  ///< as the audit calls them
};

ExactnessDemand read_exactness_demand(const DocumentNode& node) {
  TableReader table(node);
  ExactnessDemand asked{read_demand(table), read_texts(&table.require("property"), {})};
  table.require("method");
  asked.demand.refuse_bounds_beside("is");
  const bool is_kept = read_word(&table.require("is"), true, {{"kept", true}, {"not kept", false}});
  (is_kept ? asked.demand.most : asked.demand.least) = is_kept ? exact_defect : clear_defect;
  table.finish();
  return asked;
}

/// The properties of the first run of a method.
class AuditedMethods {
 public:
  AuditedMethods(const StudyEntry& entry, const ReproductionEffort& effort)
      : title_(entry.study),
        plans_(plan_runs(read_study_file(find_study(entry.study), entry.all_settings(effort)))),
        found_(plans_.size()) {}

  Evidence measured(const Demand& demand, const std::string& method, const std::string& property) {
    const auto plan =
        std::ranges::find(plans_, method, [](const RunPlan& one) { return one.method.label; });
    if (plan == plans_.end()) {
      std::vector<std::string> known;
      for (const RunPlan& one : plans_) known.push_back(one.method.label);
      throw RequestError("\"" + title_ + "\" has no method \"" + method + "\"" +
                         suggestion(method, known));
    }
    const std::vector<AuditFinding>& findings = findings_of(*plan);
    const auto finding = std::ranges::find(findings, property, &AuditFinding::property);
    if (finding == findings.end()) {
      std::vector<std::string> known;
      for (const AuditFinding& one : findings) known.push_back(one.property);
      throw RequestError("the audit of \"" + method + "\" has no property \"" + property + "\"" +
                         suggestion(property, known));
    }
    return demand.evidence(
        property + " of a step, h = 1/16, " + method + ", " + plan->system.name(), finding->value);
  }

 private:
  const std::vector<AuditFinding>& findings_of(const RunPlan& plan) {
    std::vector<AuditFinding>& findings = found_[plan.index];
    if (findings.empty())
      findings = audit_exactness<Extended>({plan.system, plan.parameters, plan.q, plan.v},
                                           plan.program->method());
    return findings;
  }

  std::string title_;
  std::vector<RunPlan> plans_;
  std::vector<std::vector<AuditFinding>> found_;  ///< by run, of those that were asked for
};

}  // namespace

ExperimentCode read_exactness_numbers(const StudyEntry& entry, const DocumentNode& numbers) {
  std::vector<ExactnessDemand> demands;
  for (const DocumentNode& number : as_list(numbers))
    demands.push_back(read_exactness_demand(number));
  return [=](const ReproductionEffort& effort) {
    AuditedMethods audited(entry, effort);
    ExperimentOutcome outcome;
    for (const ExactnessDemand& asked : demands)
      for (const std::string& method : asked.demand.methods)
        for (const std::string& property : asked.properties)
          add(outcome.findings, asked.demand.claim,
              audited.measured(asked.demand, method, property));
    return outcome;
  };
}

}  // namespace dalembert::reproduce
