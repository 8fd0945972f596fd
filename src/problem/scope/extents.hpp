#pragma once

#include <cstddef>
#include <vector>

#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert::study {

/// One entry of a problem's coordinates, with the number of elements that it stands for: as many as
/// an array has, else one.
struct Extent {
  const CoordinateEntry* entry;
  std::size_t count;
};

/// The entries of a problem for the chosen sizes; RequestError for an array without entries.
std::vector<Extent> extents_of(const ProblemFile& problem, const Sizes& sizes);

/// The names by which the expressions of a problem call what its system has: all of `motion_scope`,
/// sizes, arrays with their velocities, and tables. RequestError for a table with a name of these.
Scope problem_scope(const ProblemFile& problem, const Symbols& symbols,
                    const Configuration& configuration, const std::vector<Extent>& extents,
                    const Sizes& sizes);

}  // namespace dalembert::study
