#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace dalembert::study {

/// How the error of a run is estimated: by a second run that is coarser by a known factor.
struct ErrorCheck {
  double asked = 0.0;      ///< the tolerance that the run is to keep
  double step = 0.0;       ///< of the second run
  double tolerance = 0.0;  ///< of its substeps, where the method controls them; else 0
  double scale = 0.0;      ///< the error of the run in parts of the difference of the two
};

/// Nodes are compared in groups: four of a run are as long as three of the second one.
inline constexpr std::uint64_t nodes_in_group = 4, coarser_nodes_in_group = 3;

/// The next group at whose end two runs are compared, after so many groups: every so many, and at
/// the beginning, where what is stiff dies out, after one, two, four and so on.
constexpr std::uint64_t next_compared(std::uint64_t groups, std::uint64_t every) {
  const std::uint64_t regular = (groups / every + 1) * every;
  return std::min<std::uint64_t>(regular, std::bit_ceil(groups + 1));
}

}  // namespace dalembert::study
