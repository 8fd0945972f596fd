#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Fig. 4.
ExperimentOutcome modin_verdier_knife_edge(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
