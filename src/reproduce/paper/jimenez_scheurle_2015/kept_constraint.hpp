#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Sect. 7: the midpoint rule at the old nodes, with a discrete constraint that keeps them on D.
ExperimentOutcome kept_constraint(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
