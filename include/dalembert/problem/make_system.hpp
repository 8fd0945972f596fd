#pragma once

#include <string>
#include <vector>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert::study {

/// The system for the chosen sizes. RequestError with file and line where an expression cannot be
/// read or the equations make no sense.
System make_system(const ProblemFile& problem, const Sizes& chosen = {});

/// The system for the chosen sizes with the starts that have these sizes, each for the parameters
/// that it sets; see `load_problem` for other parameters.
Problem make_problem(const ProblemFile& problem, const Sizes& chosen = {});

/// What the multipliers are called that contacts and joints have made, as "ground_1", in their
/// order; empty for those of constraints that the problem writes itself.
std::vector<std::string> multiplier_names(const ProblemFile& problem, const Sizes& chosen = {});

}  // namespace dalembert::study
