#pragma once

#include <memory>
#include <optional>

#include "dalembert/mechanics/start.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// What [control] asks of one run, with everything decided.
struct ControlPlan {
  ControlEntry entry;
  std::optional<Start> end = {};  ///< in numbers
};

/// That of a plan of the study (or of one of its variants); none without [control]. RequestError
/// where the end cannot be evaluated.
std::shared_ptr<const ControlPlan> plan_control(const Study& study, const RunPlan& plan);

}  // namespace dalembert::study
