#include "dalembert/study/control/plan_control.hpp"

#include <utility>

#include "dalembert/problem/start_entry.hpp"

namespace dalembert::study {

std::shared_ptr<const ControlPlan> plan_control(const Study& study, const RunPlan& plan) {
  if (!study.control) return nullptr;
  ControlPlan result{*study.control};
  if (const auto& end = study.control->end)
    result.end = evaluate_start(study.problem, *end, plan.system, plan.sizes, plan.parameters);
  return std::make_shared<const ControlPlan>(std::move(result));
}

}  // namespace dalembert::study
