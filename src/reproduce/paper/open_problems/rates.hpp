#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Predicted and measured rates of drift.
ExperimentOutcome open_problems_rates(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
