#pragma once

#include <vector>

#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert {

/// A problem for studies, ensembles, audits and result files whose system and starts were made in
/// code instead of read from a file. It has no sizes and no expressions to read: `make_system`
/// gives the very system. RequestError for two starts of the same name and for a start that sets a
/// parameter which the system does not have.
ProblemFile problem_in_code(const System& system, const std::vector<Start>& starts = {});

}  // namespace dalembert
