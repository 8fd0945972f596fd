#include "dalembert/analysis/analysis.hpp"

#include <algorithm>

#include "dalembert/analysis/volume_analysis.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "lyapunov_analysis.hpp"
#include "sensitivity_analysis.hpp"

namespace dalembert::study {

const std::vector<Analysis>& analyses() {
  static const std::vector<Analysis> list{sensitivity_analysis(), lyapunov_analysis(),
                                          volume_analysis()};
  return list;
}

const Analysis& analysis_named(const std::string& name) {
  std::vector<std::string> known;
  for (const Analysis& analysis : analyses()) {
    if (analysis.page.name == name) return analysis;
    known.push_back(analysis.page.name);
  }
  throw RequestError("there is no analysis \"" + name + "\"" + suggestion(name, known));
}

Findings analyse_runs(const PreparedAnalysis& analysis, const std::vector<RunPlan>& plans,
                      const AnalysisWatch& watch) {
  Findings found;
  for (const RunPlan& plan : plans) {
    if (watch.cancelled != nullptr && *watch.cancelled) break;
    try {
      found.findings.push_back(analysis.find(plan, watch));
      found.plans.push_back(plan);
    } catch (const RequestError& reason) {
      if (std::ranges::find(found.refused, reason.what()) == found.refused.end())
        found.refused.emplace_back(reason.what());
    }
  }
  return found;
}

}  // namespace dalembert::study
