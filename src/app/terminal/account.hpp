#pragma once
// What --verbose says of runs.

#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

/// The systems, how the methods' steps were compiled, and the starts, each once.
void tell_plans(const std::vector<study::RunPlan>& plans, double seconds);
/// A line for each run: steps, Newton's iterations and time.
void tell_results(const std::vector<study::RunPlan>& plans,
                  const std::vector<study::RunResult>& results);

}  // namespace dalembert::app
