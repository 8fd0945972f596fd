#pragma once

#include <cmath>

#include "dalembert/mechanics/system.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// Limit for the error of a quantity that a method promises to keep, relative to 1 + its size:
/// beyond it the quantity is lost. Far above the round-off of any run that a machine finishes, far
/// from what anybody calls exact.
inline constexpr double broken_promise = 1e-8;
/// Limit for that error relative to the largest terms of the quantity: their round-off is in it,
/// however small it is itself. The larger of both limits holds. Round-off of 1e10 steps that walks
/// is less.
inline constexpr double round_off_of_terms = 1e-9;

/// Largest allowed error of a promised quantity; see `breaks_promise`.
inline double promised_within(double kept, double terms) {
  return numeric::larger(broken_promise * (1.0 + std::fabs(kept)), round_off_of_terms * terms);
}

/// True if a promised quantity is lost: it was `kept` at first and is off by `error`, and its terms
/// have come up to the size `terms` so far. True where one of them is nan.
inline bool breaks_promise(double error, double kept, double terms) {
  return !(error <= promised_within(kept, terms));
}

/// The sizes of the terms of each constraint on velocities, [constraint_count], as expressions in
/// the symbols of the system: of its products with velocities, and of what is left without
/// velocities. A constraint of one term, as v_2 = 0, is as large as its terms when it is violated
/// by round-off; therefore the velocities that stand in it count by `part_of_others` for each
/// other.
Vector constraint_term_sizes(const System& system, const Symbols& symbols, double part_of_others);

/// The sizes of the terms of each constraint on positions, [holonomic_count].
Vector holonomic_term_sizes(const System& system, const Symbols& symbols);

}  // namespace dalembert
