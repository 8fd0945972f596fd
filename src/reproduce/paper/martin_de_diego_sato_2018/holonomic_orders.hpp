#pragma once
// Martin de Diego and Sato 2018, Sect. 4.3. Only for the sources of this room.

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Orders where a constraint is on positions: claim 002-F.2.
ExperimentOutcome holonomic_orders(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
