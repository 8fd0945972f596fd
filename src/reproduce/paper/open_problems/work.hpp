#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Error against cost, beside drift.
ExperimentOutcome open_problems_work(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
