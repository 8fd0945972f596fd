#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Props. 5.1 to 5.3 and Remark 5.8: the discrete principle with a finite-difference map.
ExperimentOutcome discrete_principle(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
