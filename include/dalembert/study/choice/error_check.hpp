#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {

/// Estimate of the error of a run by a second one, whose steps are 4/3 as long.
struct ErrorCheck {
  double asked = 0.0;  ///< the tolerance that the run is to keep
  double tolerance =
      0.0;             ///< of substeps of the second run, where the method controls them; else 0
  double scale = 0.0;  ///< the error of the run in parts of the difference of the two
};

/// Nodes are compared in groups: four of a run are as long as three of the second one.
inline constexpr std::uint64_t nodes_in_group = 4, coarser_nodes_in_group = 3;

/// The next group at whose end two runs are compared, after so many groups: every so many, and at
/// the beginning, where what is stiff dies out, after one, two, four and so on.
constexpr std::uint64_t next_compared(std::uint64_t groups, std::uint64_t every) {
  const std::uint64_t regular = (groups / every + 1) * every;
  return std::min<std::uint64_t>(regular, std::bit_ceil(groups + 1));
}

/// The largest difference of two states, relative to one plus the size of the first; infinite where
/// a number is none.
inline double state_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double error = std::fabs(a[i] - b[i]) / (1.0 + std::fabs(a[i]));
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
    largest = numeric::larger(largest, error);
  }
  return largest;
}

}  // namespace dalembert::study
