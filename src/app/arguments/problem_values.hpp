#pragma once
// Values for sizes and parameters of a problem, as --set gives them.

#include <string>
#include <vector>

#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

/// What is chosen of a problem.
struct ProblemValues {
  Sizes sizes = {};
  std::vector<study::ParameterChoice> parameters = {};  ///< lists and ranges have several values
};

/// Reads "n=5", "speed=5", "speed=[4, 5]" or "speed={from=0, to=10, count=101}"; a parameter may
/// also be called parameters.speed, a size sizes.n. RequestError for what is no such text, for
/// names that are neither a size nor a parameter, and for sizes that are no whole numbers.
ProblemValues problem_values(const study::ProblemFile& problem,
                             const std::vector<std::string>& settings);
/// The same where each parameter has one value.
LoadOptions load_options(const study::ProblemFile& problem,
                         const std::vector<std::string>& settings);

}  // namespace dalembert::app
