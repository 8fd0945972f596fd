#pragma once

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Quantities that show errors of a run, as expressions in the symbols of a system: the energy, the
/// constraints on velocities [constraint_count] and on positions [holonomic_count], and the
/// integrals that the system declares.
Vector watched_quantities(const System& system, const Symbols& symbols);

}  // namespace dalembert
