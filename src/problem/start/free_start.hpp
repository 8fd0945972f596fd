#pragma once

#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert::study {

/// The texts of a list of names.
std::vector<std::string> free_names(const DocumentNode& node);

/// RequestError for a name that is neither a coordinate nor a velocity, or is given twice.
void check_free_names(const DocumentNode& node, const System& system);

/// Solves the constraints for the coordinates and velocities of these names ("z", "x_dot", in
/// groups "R_dot_1"), from the values that the start has for them; all else stays. First the
/// coordinates are solved from the constraints on positions, then the velocities. RequestError,
/// with the place, for more names than constraints, and where no solution is found.
void solve_free_positions(const DocumentNode& node, const System& system,
                          const std::vector<double>& parameters, Start& start);
void solve_free_velocities(const DocumentNode& node, const System& system,
                           const std::vector<double>& parameters, Start& start);

}  // namespace dalembert::study
