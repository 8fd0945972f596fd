#pragma once
// Celledoni et al. 2019, Sect. 4.4 and Fig. 4: the gearbox. Only for the sources of this folder.

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

ExperimentOutcome celledoni_gearbox(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
