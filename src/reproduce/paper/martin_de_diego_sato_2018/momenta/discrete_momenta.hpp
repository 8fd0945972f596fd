#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Eqs. (16) and (17): the momenta at both ends of a step with two stages, and the two algorithms
/// of Sect. 5.1 that follow from them.
ExperimentOutcome discrete_momenta(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
