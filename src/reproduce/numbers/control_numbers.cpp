#include "control_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/analysis/control_analysis.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/study/control/optimise_run.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

enum class ControlNumber { order, cost, defect, constraint, residual };

struct ControlDemand {
  Demand demand;
  ControlNumber of;
};

ControlDemand read_control_demand(const DocumentNode& node, bool has_exact) {
  TableReader table(node);
  ControlDemand asked{read_demand(table), read_word(&table.require("of"), ControlNumber::order,
                                                    {{"order", ControlNumber::order},
                                                     {"cost", ControlNumber::cost},
                                                     {"defect", ControlNumber::defect},
                                                     {"constraint", ControlNumber::constraint},
                                                     {"residual", ControlNumber::residual}})};
  table.require("method");
  asked.demand.require_bounds();
  if (asked.of == ControlNumber::order && !has_exact)
    node.refuse("asks for the order of the cost; the study needs the key exact");
  table.finish();
  return asked;
}

/// Optimal controls of each run; the steps of a method are halved from one to the next.
class OptimisedRuns {
 public:
  OptimisedRuns(const StudyEntry& entry, const ReproductionEffort& effort)
      : study_(read_study_file(find_study(entry.study), entry.all_settings(effort))),
        plans_(plan_runs(study_)) {
    for (const RunPlan& plan : plans_) results_.push_back(optimise_run(plan, effort.cancelled));
  }

  Evidence measured(const ControlDemand& asked, const std::string& method, double exact) const {
    std::vector<const OptimalControl*> runs;
    for (std::size_t i = 0; i < plans_.size(); ++i)
      if (plans_[i].method.label == method) runs.push_back(&results_[i]);
    if (runs.empty()) {
      std::vector<std::string> known;
      for (const RunPlan& plan : plans_) known.push_back(plan.method.label);
      throw RequestError("the study has no method \"" + method + "\"" + suggestion(method, known));
    }
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const bool are_ok = std::ranges::all_of(runs, [](const auto* run) { return run->ok(); });
    const auto largest = [&](double OptimalControl::*number) {
      double result = 0.0;
      for (const OptimalControl* run : runs) result = numeric::larger(result, run->*number);
      return are_ok ? result : nan;
    };
    const Demand& demand = asked.demand;
    switch (asked.of) {
      case ControlNumber::cost:
        return demand.evidence("least cost with the last step, " + method,
                               are_ok ? runs.back()->cost : nan);
      case ControlNumber::defect:
        return demand.evidence("largest error of steps and end, " + method,
                               largest(&OptimalControl::defect));
      case ControlNumber::constraint:
        return demand.evidence("largest residual of the constraints, " + method,
                               largest(&OptimalControl::constraint));
      case ControlNumber::residual:
        return demand.evidence("largest derivative of the Lagrangian, " + method,
                               largest(&OptimalControl::residual));
      case ControlNumber::order:
        break;
    }
    std::vector<double> errors;
    for (const OptimalControl* run : runs) errors.push_back(std::fabs(run->cost - exact));
    const OrderSeries order = fit_order(errors, 1e-12);
    return demand.evidence("order of the least cost, " + method,
                           are_ok && order.measured ? order.slope : nan, order.uncertainty);
  }

  /// The motion and the controls of the last run, and the errors of the costs.
  Picture picture(std::optional<double> exact) const {
    PlotRequest request = study_.plot;
    request.together = true;
    Picture picture = control_picture(request, study_.title, {plans_.back()}, {results_.back()});
    if (!exact) return picture;
    std::size_t row = 0;
    for (const PicturePanel& panel : picture.panels)
      row = std::max<std::size_t>(row, panel.row + 1);
    PicturePanel panel{.title = {}, .row = row};
    panel.x = {"h", true};
    panel.y = {"error of the least cost", true};
    std::vector<std::string> methods;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      const std::string& method = plans_[i].method.label;
      if (std::ranges::find(methods, method) == methods.end()) {
        methods.push_back(method);
        panel.curves.push_back({picture.entry(method), {}, CurveStyle::marked});
      }
      const auto place = std::ranges::find(methods, method) - methods.begin();
      Curve& curve = panel.curves[static_cast<std::size_t>(place)].curve;
      if (!results_[i].ok()) continue;
      curve.t.push_back(plans_[i].step);
      curve.values.push_back(std::fabs(results_[i].cost - *exact));
    }
    picture.panels.push_back(std::move(panel));
    return picture;
  }

 private:
  Study study_;
  std::vector<RunPlan> plans_;
  std::vector<OptimalControl> results_;
};

}  // namespace

ExperimentCode read_control_numbers(const StudyEntry& entry, TableReader& table,
                                    const DocumentNode& numbers) {
  const std::optional<double> exact = read_number(table.find("exact"));
  std::vector<ControlDemand> demands;
  for (const DocumentNode& number : as_list(numbers))
    demands.push_back(read_control_demand(number, exact.has_value()));
  return [=](const ReproductionEffort& effort) {
    const OptimisedRuns runs(entry, effort);
    ExperimentOutcome outcome;
    if (entry.has_picture) outcome.pictures.push_back(runs.picture(exact));
    for (const ControlDemand& asked : demands)
      for (const std::string& method : asked.demand.methods)
        add(outcome.findings, asked.demand.claim,
            runs.measured(asked, method, exact.value_or(0.0)));
    return outcome;
  };
}

}  // namespace dalembert::reproduce
