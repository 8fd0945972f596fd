#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Props. 3.1 and 4.1: curves in the constraint set, and methods as flows of perturbed equations.
ExperimentOutcome embeddings(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
