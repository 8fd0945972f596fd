#pragma once

#include "demand.hpp"

namespace dalembert::reproduce {

/// Numbers about what steps do to the volume of the constraint set along a run, beside the motion
/// from the same start; see `volume_along`.
ExperimentCode read_volume_numbers(const StudyEntry& entry, const study::DocumentNode& numbers);

}  // namespace dalembert::reproduce
