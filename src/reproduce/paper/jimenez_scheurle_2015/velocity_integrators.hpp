#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Props. 6.1 to 6.3.
ExperimentOutcome velocity_integrators(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
