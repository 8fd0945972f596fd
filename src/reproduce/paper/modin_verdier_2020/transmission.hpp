#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Figs. 6 to 8.
ExperimentOutcome modin_verdier_passenger(const ReproductionEffort& effort);
ExperimentOutcome modin_verdier_driver(const ReproductionEffort& effort);
ExperimentOutcome modin_verdier_latitude(const ReproductionEffort& effort);
/// Open problems 2 and 3, and the figures continued.
ExperimentOutcome modin_verdier_open_problems(const ReproductionEffort& effort);
/// The answer to open problem 2, where it does not apply.
ExperimentOutcome modin_verdier_hardening(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
