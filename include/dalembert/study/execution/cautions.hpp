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

/// A sentence on an error that is further off than the tolerance allows; see ErrorEstimate.
std::string missed_tolerance_text(const ErrorEstimate& error);

/// Sentences on a run that may look complete and is not right: energies and constraints that came
/// out of all scale, contacts that ended, constraints that became dependent, a mass that became
/// singular, what the method keeps and was lost all the same, a tolerance that was missed by more
/// than ten times.
std::vector<std::string> run_cautions(const RunPlan& plan, const RunResult& result);

}  // namespace dalembert::study
