#pragma once
// Martin de Diego and Sato 2018, Sect. 7.2, continued. Only for the sources of this room.

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Long runs of the transmission: claims 002-B.4 to 002-B.6.
ExperimentOutcome lobatto_long_runs(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
