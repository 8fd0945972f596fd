#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Sect. 2: Newmark's methods without constraints.
ExperimentOutcome classical_newmark(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
