#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Theorems 4.2 and 4.4, Prop. 5.3.
ExperimentOutcome modin_verdier_averaging(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
