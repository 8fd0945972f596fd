#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Fig. 5.
ExperimentOutcome modin_verdier_phase_portrait(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
