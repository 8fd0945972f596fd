#pragma once

#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert {

/// The system for the chosen sizes. RequestError with file and line where an expression cannot be
/// read or the equations make no sense. Its description holds the starts that have these sizes.
System make_system(const ProblemFile& problem, const Sizes& chosen = {});

}  // namespace dalembert
