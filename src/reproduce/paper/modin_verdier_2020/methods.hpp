#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Orders, and what the methods preserve.
ExperimentOutcome modin_verdier_methods(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
