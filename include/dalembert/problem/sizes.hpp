#pragma once

#include <map>
#include <string>

namespace dalembert {

/// Whole numbers that fix the size of a family of systems, by name.
using Sizes = std::map<std::string, long, std::less<>>;

}  // namespace dalembert

namespace dalembert::study {

struct ProblemFile;

/// A size with its admissible range.
struct SizeEntry {
  std::string name;                     ///< symbol in expressions
  long value = 1, min = 1, max = 1000;  ///< default; bounds, inclusive
  std::string description = {};         ///< one line for people
};

/// The chosen sizes completed by defaults; RequestError for unknown ones and those out of range.
Sizes complete_sizes(const ProblemFile& problem, const Sizes& chosen = {});

}  // namespace dalembert::study
