#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace dalembert::study
