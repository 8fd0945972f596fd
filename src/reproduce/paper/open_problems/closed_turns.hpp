#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Turns of a driver in a whole number of steps: reversals, volumes, the driver's own defect.
ExperimentOutcome open_problems_closed_turns(const ReproductionEffort& effort);
/// Whether the passengers' equation keeps a value in so(3).
ExperimentOutcome open_problems_reduced_systems(const ReproductionEffort& effort);
/// The leap-frog on a system without reversal whose discrete energy is definite.
ExperimentOutcome modin_verdier_definite(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
