#pragma once

#include <string>

#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

/// The names by which expressions call the parts of a system: its parameters, and what the elements
/// of its configuration space are in equations (`x`, `R[i,j]`, `B_angle`).
Scope position_scope(const Configuration& configuration, const Symbols& symbols);
/// Names of a position, and of time and velocities (`x_dot`, `R_dot[i]`) where there are any.
Scope motion_scope(const Configuration& configuration, const Symbols& symbols);

/// True if an expression names a multiplier, as `lambda_1` or by its name in the problem, or an
/// acceleration, as `x_ddot`.
bool mentions_reactions(const DocumentNode& expression, const ProblemFile& problem);
/// Adds what the equations of motion say of a state: accelerations by `x_ddot`, where the system
/// has coordinates, and multipliers by `prefix` and their numbers, as `lambda_1`.
void add_reactions(const System& system, const Symbols& symbols, const std::string& prefix,
                   Scope& scope);

}  // namespace dalembert::study
