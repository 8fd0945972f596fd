#pragma once
// The search for a step. Only for the sources of this room.

#include <optional>

#include "dalembert/study/choice/step_choice.hpp"
#include "trial.hpp"

namespace dalembert::study {

/// As choose_step, with so much to spend; nothing where steps of no size can be taken, or where
/// all that keep the tolerance cost more than `most_cost` per unit of time.
std::optional<StepChoice> search_step(Trial& trial, double until, double tolerance, double budget,
                                      double most_cost = std::numeric_limits<double>::infinity());

}  // namespace dalembert::study
