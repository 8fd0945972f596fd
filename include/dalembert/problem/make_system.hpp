#pragma once

#include <map>
#include <string>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert::study {

/// The system for the chosen sizes; of parameters in `put_in` the equations have the value in the
/// place of the name, but not of a system made in code. RequestError with file and line where an
/// expression cannot be read or the equations make no sense.
System make_system(const ProblemFile& problem, const Sizes& chosen = {},
                   const std::map<std::string, double>& put_in = {});

/// The system for the chosen sizes with the starts that have these sizes, each for the parameters
/// that it sets; see `load_problem` for other parameters.
Problem make_problem(const ProblemFile& problem, const Sizes& chosen = {});

}  // namespace dalembert::study
