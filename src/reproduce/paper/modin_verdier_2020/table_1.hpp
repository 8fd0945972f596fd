#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Table 1 and Sect. 2.
ExperimentOutcome modin_verdier_table_1(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
