#pragma once

#include <memory>
#include <optional>

#include "dalembert/mechanics/start.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// The table [control] for one run, with everything decided.
struct ControlPlan {
  ControlEntry entry;             ///< the table as written
  std::optional<Start> end = {};  ///< in numbers
};

/// The table for a plan of the study (or of one of its variants); none without [control].
/// RequestError where the end cannot be evaluated.
std::shared_ptr<const ControlPlan> plan_control(const Study& study, const RunPlan& plan);

}  // namespace dalembert::study
