#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Theorem 4.1: how exact the discrete Lagrangian of a pair of tableaux is.
ExperimentOutcome discrete_lagrangians(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
