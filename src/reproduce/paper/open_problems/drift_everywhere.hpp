#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// All methods in the six cases of the transmission.
ExperimentOutcome open_problems_drift(const ReproductionEffort& effort);
/// A few of them to t = 1e6.
ExperimentOutcome open_problems_million(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
