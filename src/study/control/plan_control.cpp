#include "dalembert/study/control/plan_control.hpp"

#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/problem/start_entry.hpp"

namespace dalembert::study {

std::shared_ptr<const ControlPlan> plan_control(const Study& study, const RunPlan& plan) {
  if (!study.control) return nullptr;
  if (plan.redundancy) {
    const Redundancy& redundancy = *plan.redundancy;
    throw RequestError(study.control->place.text(),
                       "[control] needs independent constraints, and " +
                           constraint_list(redundancy.all(), redundancy.left_out()) +
                           " of system \"" + plan.system.name() +
                           "\" can be left out, since the others say the same");
  }
  ControlPlan result{*study.control};
  if (const auto& end = study.control->end)
    result.end = evaluate_start(study.problem, *end, plan.system, plan.sizes, plan.parameters);
  return std::make_shared<const ControlPlan>(std::move(result));
}

}  // namespace dalembert::study
