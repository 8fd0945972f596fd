#include "dalembert/analysis/finding.hpp"

#include <fmt/format.h>

namespace dalembert::study {

std::string motion_heading(const RunPlan& plan) {
  const std::string& which = plan.label.empty() ? plan.start : plan.label;
  return plan.system.name() + (which.empty() ? "" : ", " + which);
}

std::string run_heading(const RunPlan& plan) {
  return motion_heading(plan) + fmt::format(", {}, h = {:g}", plan.method.label, plan.step);
}

}  // namespace dalembert::study
