#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Remark 2.3: the exponential method (7) with several discretizations of the flow.
ExperimentOutcome exponential_methods(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
