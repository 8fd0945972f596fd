#pragma once

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Figs. 3 and 5.
ExperimentOutcome newmark_figure_3(const ReproductionEffort& effort);
ExperimentOutcome newmark_figure_5(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
