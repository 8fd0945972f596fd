#pragma once

#include <string>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

/// The table of results, one line per run.
std::string result_table(const std::vector<study::RunPlan>& plans,
                         const std::vector<study::RunResult>& results);

/// Rows of cells in columns as wide as they need: text in the first two and the last, else numbers.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace dalembert::app
