#pragma once

#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

/// The key `units` of a problem: "SI", "nondimensional", or a table of units by name. RequestError
/// for anything else.
UnitsEntry read_units(const DocumentNode& node);
/// RequestError for a name that the problem does not have, or one that has no unit of its own.
void check_units(const ProblemFile& problem, const DocumentNode& node);

/// The unit of a coordinate as written, a parameter, an integral, "t" or "energy"; "" if unknown.
std::string unit_of(const ProblemFile& problem, const std::string& name);
/// The units of t, the stored numbers, the velocities, the multipliers, the energy, the constraint
/// and the integrals of a system made of the problem, in this order; "" where unknown. Nothing for
/// a problem without units.
std::vector<std::string> column_units(const ProblemFile& problem, const System& system);

}  // namespace dalembert::study
