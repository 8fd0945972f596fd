#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Theorem 4.1: how exact the discrete Lagrangian of a pair of tableaux is.
ExperimentOutcome discrete_lagrangians(const ReproductionEffort& effort);
/// Eqs. (16) and (17): the momenta at both ends of a step with two stages.
ExperimentOutcome discrete_momenta(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
