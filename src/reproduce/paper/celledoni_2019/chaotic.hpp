#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Fig. 2, bottom right: random starts of the chaotic system.
ExperimentOutcome celledoni_ensemble(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
