#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// The chaotic system, Fig. 2, and Suslov's problem, Sect. 4.3.
ExperimentOutcome celledoni_trajectory(const ReproductionEffort& effort);
ExperimentOutcome celledoni_ensemble(const ReproductionEffort& effort);
ExperimentOutcome celledoni_suslov(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
