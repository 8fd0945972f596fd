#pragma once
// Sums in an order that vectors keep, and what they say of values. Only for the sources of this
// room.

#include <array>
#include <cstddef>
#include <span>

namespace dalembert {

/// The sum of term(0), ..., term(count - 1): several sums side by side.
template <class Term>
double sum_in_lanes(std::size_t count, Term term) {
  constexpr std::size_t lanes = 4;
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += term(i + lane);
  for (std::size_t lane = 0; i + lane < count; ++lane) sums[lane] += term(i + lane);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// True if no value is nan or infinite: such a one makes the sum of differences from itself nan.
inline bool are_finite(std::span<const double> values) {
  return sum_in_lanes(values.size(), [&](std::size_t i) { return values[i] - values[i]; }) == 0.0;
}

}  // namespace dalembert
