#pragma once
// Expressions of what only the motion knows: multipliers and accelerations. For this room only.

#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/diagnostic.hpp"

namespace dalembert::study {

/// Follows an expression of multipliers and accelerations: multipliers are those that the method
/// reports (without one of its own, those of the continuous equations), accelerations those of the
/// continuous equations at the state. Where constraints follow from others they are those of all.
/// RequestError for names that the system does not have.
Quantity follow_reactions(const QuantityChoice& choice, const System& system,
                          std::span<const double> parameters,
                          const std::shared_ptr<const Redundancy>& redundancy);

}  // namespace dalembert::study
