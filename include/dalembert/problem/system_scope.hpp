#pragma once

#include <cstddef>
#include <functional>
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
/// Adds accelerations by `x_ddot`, where the system has coordinates.
void add_accelerations(const System& system, const Vector& acceleration, Scope& scope);
/// Adds accelerations and multipliers of the motion through a state, the latter by the names that
/// their numbers from 0 have.
void add_reactions(const System& system, const Symbols& symbols,
                   const std::function<std::string(std::size_t)>& multiplier_name, Scope& scope);

}  // namespace dalembert::study
