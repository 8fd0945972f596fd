#pragma once
// What discrete energies ask of a system. Only for the sources of this room.

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Whether a system on R^n has a constant mass, constraints that are linear in the velocities, and
/// no forces or time that could change its energy.
bool is_conservative_with_constant_mass(const System& system);

/// Whether the slope of the potential is linear in q.
bool has_quadratic_potential(const System& system);

}  // namespace dalembert
