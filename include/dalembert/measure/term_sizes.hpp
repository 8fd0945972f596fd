#pragma once

#include <cmath>

#include "dalembert/mechanics/system.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// Far above the round-off of any run that a machine finishes, far below what anybody calls exact:
/// what a method promises to keep and is off by more than this, of 1 + the size of what is kept, is
/// lost.
inline constexpr double broken_promise = 1e-8;
/// Unless it is less than this part of the largest terms of which it is made: their round-off is in
/// it, however small it is itself. Round-off of 1e10 steps that walks is less.
inline constexpr double round_off_of_terms = 1e-9;

/// By how much what was promised to stay may be off; see `breaks_promise`.
inline double promised_within(double kept, double terms) {
  return numeric::larger(broken_promise * (1.0 + std::fabs(kept)), round_off_of_terms * terms);
}

/// Whether what was promised to stay is lost: it was `kept` at first and is off by `error`, and its
/// terms have come up to the size `terms` so far. True where one of them is nan.
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
