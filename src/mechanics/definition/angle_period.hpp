#pragma once
// Whether what is called an angle is one. Only for the sources of this room.

#include <span>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// SystemError, with the part and by how much it changes, where the equations are not periodic with
/// period 2 pi in a coordinate that is an angle: runs keep angles in [-pi, pi], and would go on
/// with another system after a turn. Of tables nothing is known outside of their points: they are
/// believed. Integrals may change with turns. Parameters in the order of the description; the
/// defaults if empty.
void require_periodic(const SystemDescription& description, const Symbols& symbols,
                      const Mechanics& mechanics, std::span<const double> parameters = {});

}  // namespace dalembert
