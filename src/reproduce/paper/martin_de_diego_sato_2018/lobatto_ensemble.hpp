#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Sect. 7.3: random starts of the chaotic system.
ExperimentOutcome lobatto_ensemble(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
