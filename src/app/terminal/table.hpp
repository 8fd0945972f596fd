#pragma once

#include <string>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

/// The table of results, one line per run.
std::string result_table(const std::vector<study::RunPlan>& plans,
                         const std::vector<study::RunResult>& results);

}  // namespace dalembert::app
