#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Lemma 4.4 and Eqs. (51) to (55) of perturbed equations, (68) and (71) in coordinates of D.
ExperimentOutcome adapted_equations(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
