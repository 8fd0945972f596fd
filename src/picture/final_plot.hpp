#pragma once
// Values at the end of runs against a parameter. Only for the sources of this room.

#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "run_records.hpp"

namespace dalembert::study {

/// RequestError for a quantity or a parameter that the runs do not have, and for a parameter that
/// is the same in all of them.
void check_final(const PlotRequest& request, const std::vector<RunPlan>& plans);
/// Its panel and its legend, before anything is computed.
Picture empty_picture_of_finals(const PlotRequest& request, const std::vector<RunPlan>& plans);
/// A point for each run that got to its end, a line for each method and choice of everything else.
/// `energy_error`, `constraint` and `<integral>_error` are the largest over all steps; other
/// columns are those of the last record.
Picture picture_of_finals(const PlotRequest& request, const std::vector<RunPlan>& plans,
                          const std::vector<RunResult>& results,
                          const std::vector<RunRecords>& records);

}  // namespace dalembert::study
