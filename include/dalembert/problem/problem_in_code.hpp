#pragma once

#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

/// A problem for studies, ensembles, audits and result files whose system and starts were made in
/// code instead of read from a file. It has no sizes and no expressions to read: `make_system`
/// gives the very system. RequestError for two starts of the same name and for a start that sets a
/// parameter which the system does not have. Its document holds the system as text (see
/// `serialise`), so that a result file holds all that it takes to go on bitwise identically.
ProblemFile problem_in_code(const System& system, const std::vector<Start>& starts = {});

/// The problem of a table with the keys name, serialised and initial, which `problem_in_code` has
/// written. RequestError with the place where the text is damaged.
ProblemFile read_serialised_problem(const DocumentNode& document);

}  // namespace dalembert::study
