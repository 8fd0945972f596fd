#pragma once
// Names of multipliers and of the columns of results. Only for the sources of this room.

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// SystemError for a name that is none or that something else has, and for a list of another length
/// than that of the constraints.
void check_multiplier_names(const SystemDescription& description,
                            const Configuration& configuration, const Mechanics& mechanics);

/// SystemError for a coordinate, RequestError for an integral, whose column would be another's, and
/// for a name of an integral that is none.
void check_column_names(const SystemDescription& description, const Configuration& configuration,
                        const Mechanics& mechanics);

}  // namespace dalembert
