#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Called before each run is planned, with its number, from 0, with how many there are, and with
/// its method and problem: "gauss on chaotic".
using PlanningWatch =
    std::function<void(std::size_t index, std::size_t count, const std::string& what)>;

/// All runs of a study: swept values x starts x parameters x methods x steps. Compiles each method
/// for each system and checks each start; RequestError, naming the pair, for a method that does not
/// fit and for a start that violates its constraints.
std::vector<RunPlan> plan_runs(const Study& study, const PlanningWatch& watch = {});

/// A run of a study whose method cannot be used, beside others that can.
struct RefusedRun {
  std::string label, start;             ///< as of a RunPlan
  System system;                        ///< of the problem, with its sizes
  MethodChoice method;                  ///< the refused one
  double step = 0.0;                    ///< 0 where a tolerance was to choose it
  std::string reason;                   ///< the sentence with which the method alone is refused
  std::vector<std::size_t> place = {};  ///< as of a RunPlan
  std::vector<SweptValue> swept = {};   ///< as of a RunPlan
};

/// Runs of a study: those that are possible, and those that are refused.
struct PlannedRuns {
  std::vector<RunPlan> plans;            ///< at least one
  std::vector<RefusedRun> refused = {};  ///< with their reasons
};

/// As plan_runs, but methods that do not fit, or cannot begin at a start, are left out, with the
/// reason, as long as any run is left; else the first of them throws its RequestError.
PlannedRuns plan_fitting_runs(const Study& study, const PlanningWatch& watch = {});

/// Every method x step x choice of swept values and parameters of a study with [ensemble]; starts
/// are drawn once for each choice of these, the same for all methods and steps. RequestError as
/// plan_runs, and where no member has a start. Threads draw starts, and change no bit.
std::vector<EnsemblePlan> plan_ensembles(const Study& study, const PlanningWatch& watch = {},
                                         std::size_t threads = 1);

}  // namespace dalembert::study
