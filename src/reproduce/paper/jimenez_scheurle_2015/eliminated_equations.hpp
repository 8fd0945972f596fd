#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Theorem 2.1, Lemma 2.4 and Prop. 2.1 on the problems of the library.
ExperimentOutcome eliminated_equations(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
