#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Sect. 3.2, Remark 3.2 and Eqs. (14), (15): the exact discrete flow and its constraint space.
ExperimentOutcome exponential_map(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
