#pragma once

#include <vector>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// All runs of a study: starts x parameters x methods x steps. Compiles each method for each system
/// and checks each start; RequestError, naming the pair, for a method that does not fit and for a
/// start that violates its constraints.
std::vector<RunPlan> plan_runs(const Study& study);

/// Every method x step x choice of parameters of a study with [ensemble]; starts are drawn once for
/// each choice of parameters, the same for all methods and steps. RequestError as plan_runs, and
/// where no member has a start.
std::vector<EnsemblePlan> plan_ensembles(const Study& study);

}  // namespace dalembert::study
