#pragma once
// What is to be said of runs beside their numbers, by whoever shows them: sentences without the
// name of the run.

#include <set>
#include <string>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Before they begin: what their methods warn of, multipliers that stay, ends that are not met,
/// times of records after the end.
std::set<std::string> cautions_before(const std::vector<RunPlan>& plans);

/// "run rotating, gauss": what sentences about a run begin with.
std::string run_title(const RunPlan& plan);

/// Energies and constraints that came out of all scale, and contacts that ended.
std::vector<std::string> out_of_scale_cautions(const RunPlan& plan, const RunResult& result);
/// Constraints that became dependent, a mass that became singular.
std::vector<std::string> rank_loss_cautions(const RunResult& result);
/// What the method keeps, and what was lost all the same.
std::vector<std::string> broken_promise_cautions(const RunPlan& plan, const RunResult& result);
/// All of these, in this order.
std::vector<std::string> run_cautions(const RunPlan& plan, const RunResult& result);

}  // namespace dalembert::study
