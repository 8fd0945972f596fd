#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Sect. 6.4 and Remark 6.1: what the velocity integrator of beta = 1/2 follows at the old nodes.
ExperimentOutcome old_nodes(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
