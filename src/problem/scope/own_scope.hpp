#pragma once

#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert::study {

/// The names that a problem's own expressions may use, definitions, vectors, bodies and contact
/// points among them, for what is written beside its equations: events, pictures.
Scope own_scope(const ProblemFile& problem, const System& system, const Sizes& sizes,
                const Symbols& symbols);

}  // namespace dalembert::study
