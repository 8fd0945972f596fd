#pragma once

#include <string>
#include <vector>

#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

/// The table of results, one line per run, then one per refused run. "-" stands for what was not
/// computed.
std::string result_table(const study::Study& study, const std::vector<study::RunPlan>& plans,
                         const std::vector<study::RunResult>& results,
                         const std::vector<study::RefusedRun>& refused = {});

}  // namespace dalembert::app
