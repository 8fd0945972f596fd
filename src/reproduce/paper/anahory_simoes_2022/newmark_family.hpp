#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Props. 3.4 to 3.8 and Remark 3.3.
ExperimentOutcome newmark_family(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
