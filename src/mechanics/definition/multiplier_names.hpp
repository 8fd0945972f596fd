#pragma once
// Names of multipliers. Only for the sources of this room.

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// SystemError for a name that is none or that something else has, and for a list of another length
/// than that of the constraints.
void check_multiplier_names(const SystemDescription& description,
                            const Configuration& configuration, const Mechanics& mechanics);

}  // namespace dalembert
