#pragma once
// The events of a plan. Only for the sources of this room.

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// RequestError, with the place, for events that members of an ensemble cannot have, for sections
/// beside those that change the state, and for a start that lies beyond an impact.
void check_events(const Study& study, const RunPlan& plan);

}  // namespace dalembert::study
