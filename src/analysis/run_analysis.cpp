#include "run_analysis.hpp"

#include <algorithm>
#include <memory>

#include "dalembert/error.hpp"

namespace dalembert::study {

RunOptionWords words_of_runs() { return {.run = {{"step", ""}, {"until", ""}, {"steps", ""}}}; }

void hold(AnalysisReport& report, LabelledTable table) {
  report.tables = [held = std::make_shared<const LabelledTable>(std::move(table))] {
    return std::vector<RunTable>{{nullptr, *held}};
  };
}

bool names_problem(const AskedStudy& asked) {
  AskedStudy with_method = asked;
  if (asked.methods.empty()) with_method.methods = {"gauss"};
  return !names_study(with_method);
}

PlannedRuns planned_runs(const Study& study, const AnalysisPlanning& planning) {
  if (study.ensemble)
    throw RequestError("the study has an [ensemble]; only runs from a start are analysed");
  PlannedRuns planned = planning.leaves_out_misfits ? plan_fitting_runs(study, planning.watch)
                                                    : PlannedRuns{plan_runs(study, planning.watch)};
  if (planning.one_run && planned.plans.size() != 1)
    throw RequestError("one run is analysed, and " + std::to_string(planned.plans.size()) +
                       " are asked for; give one method, one step and one start");
  return planned;
}

std::vector<std::string> reasons_of(const std::vector<RefusedRun>& refused) {
  std::vector<std::string> reasons;
  for (const RefusedRun& run : refused)
    if (std::ranges::find(reasons, run.reason) == reasons.end()) reasons.push_back(run.reason);
  return reasons;
}

Findings analyse_runs(const FindOfRun& find, const std::vector<RunPlan>& plans,
                      const AnalysisWatch& watch) {
  Findings found;
  for (const RunPlan& plan : plans) {
    if (watch.is_cancelled()) break;
    try {
      found.findings.push_back(find(plan, watch));
      found.plans.push_back(plan);
    } catch (const RequestError& reason) {
      if (std::ranges::find(found.refused, reason.what()) == found.refused.end())
        found.refused.emplace_back(reason.what());
    }
  }
  return found;
}

PlannedAnalysis plan_of_runs(const Study& study, const AnalysisPlanning& planning, double passes,
                             const FindOfRun& find, const LinesOfRun& lines) {
  const PlannedRuns planned = planned_runs(study, planning);
  PlannedAnalysis analysis{.plans = planned.plans};
  for (const RunPlan& plan : planned.plans)
    analysis.work += passes * static_cast<double>(plan.steps);
  analysis.report = [planned, title = study.title, find, lines](const AnalysisWatch& watch) {
    AnalysisReport report = report_of(title, analyse_runs(find, planned.plans, watch), lines);
    for (std::string& reason : reasons_of(planned.refused)) report.refused.push_back(reason);
    return report;
  };
  return analysis;
}

}  // namespace dalembert::study
