#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Sect. 3: what discrete gradients and the methods made of them do in a single step.
ExperimentOutcome celledoni_gradients(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
