#pragma once
// Martin de Diego and Sato 2018, Sect. 5.1 and App. B. Only for the sources of this room.

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Why the constraint is imposed on the momenta of the IIIA tableau: claims 002-E.1 to 002-E.5.
ExperimentOutcome stage_orders(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
