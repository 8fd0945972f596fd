#pragma once
// Martin de Diego and Sato 2018, Sects. 6, 7.4 and 7.5. Only for the sources of this room.

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// What the ball on a turntable keeps: claims 002-D.3 and 002-D.4.
ExperimentOutcome turntable_integrals(const ReproductionEffort& effort);
/// Where the chart of a step is taken: claims 002-D.5 to 002-D.7.
ExperimentOutcome chart_base(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
