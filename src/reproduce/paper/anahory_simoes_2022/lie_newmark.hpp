#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Sect. 6: the method that the paper proposes on Lie groups.
ExperimentOutcome lie_newmark(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
