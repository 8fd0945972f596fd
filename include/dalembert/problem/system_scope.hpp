#pragma once

#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert::study {

/// The names by which expressions call the parts of a system: its parameters, and what the elements
/// of its configuration space are in equations (`x`, `R[i,j]`, `B_angle`).
Scope position_scope(const Configuration& configuration, const Symbols& symbols);
/// Names of a position, and of time and velocities (`x_dot`, `R_dot[i]`) where there are any.
Scope motion_scope(const Configuration& configuration, const Symbols& symbols);

}  // namespace dalembert::study
