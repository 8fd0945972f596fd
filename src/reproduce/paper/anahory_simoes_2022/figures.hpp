#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// Figs. 1 to 5.
ExperimentOutcome newmark_figure_1(const ReproductionEffort& effort);
ExperimentOutcome newmark_figure_2(const ReproductionEffort& effort);
ExperimentOutcome newmark_figure_3(const ReproductionEffort& effort);
ExperimentOutcome newmark_figure_4(const ReproductionEffort& effort);
ExperimentOutcome newmark_figure_5(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
