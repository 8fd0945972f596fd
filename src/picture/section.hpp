#pragma once
// Poincare sections in a plane. Only for the sources of this room.

#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// RequestError for a section that the study does not have, or axes that are no names of columns.
void check_section(const PlotRequest& request, const RunPlan& plan);
/// A panel for each start, parameters and step; points for each method.
Picture picture_of_section(const PlotRequest& request, const std::vector<RunPlan>& plans,
                           const std::vector<RunResult>& results);

}  // namespace dalembert::study
