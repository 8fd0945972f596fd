#pragma once

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// What tells of every state of a run whether it is as it should be, as expressions in the symbols
/// of a system: the energy, the constraints on velocities [constraint_count] and on positions
/// [holonomic_count], and the integrals that the system declares.
Vector watched_quantities(const System& system, const Symbols& symbols);

}  // namespace dalembert
