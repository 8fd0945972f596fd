#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Remark 2.1, the rolling disk of Sect. 2, and the derivatives of Algorithm 1.
ExperimentOutcome celledoni_bracket(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
