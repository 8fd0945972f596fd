#pragma once
// Names of multipliers in problem files.

#include <string>

#include "dalembert/expression/parser.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

/// RequestError at the node for a name that a definition, a size, an array, a vector or a function
/// has; `System` knows all others that are taken.
void check_constraint_name(const ProblemFile& problem, const DocumentNode& node,
                           const std::string& name, const Scope& scope);

}  // namespace dalembert::study
