#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "dalembert/control/optimal_control.hpp"
#include "dalembert/study/control/plan_control.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// "minimum", "family" or "saddle".
const char* extremum_word(Extremum extremum);

/// Optimal controls of a planned run; see `optimal_control`. RequestError for plans without
/// control.
OptimalControl optimise_run(const RunPlan& plan, std::atomic<bool>* cancelled = nullptr,
                            std::atomic<std::uint64_t>* trials_done = nullptr);

/// The plan with columns for its controls behind those of the motion: t, q, v, multipliers, energy,
/// constraint, integrals.
RunPlan with_control_columns(const RunPlan& plan);
/// Rows of these columns, one for each node, one after the other. Controls are those of the step
/// that begins there, and those of the last step at the end. Multipliers are those of the motion.
std::vector<double> control_rows(const RunPlan& plan, const OptimalControl& result);

}  // namespace dalembert::study
