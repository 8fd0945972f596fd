#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Prop. 4.1 and Fig. 3: the sleigh.
ExperimentOutcome celledoni_sleigh(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
