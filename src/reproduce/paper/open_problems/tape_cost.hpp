#pragma once
// What a step costs on any machine. Only for the sources of this room.

#include "dalembert/study/run_plan.hpp"

namespace dalembert::reproduce {

/// Operations of a step of that size, the mean over a run: instructions of the step's tape, those
/// of loops times the passes. A sum or product counts 1, a quotient 4, an elementary function (sine
/// and cosine together) 20, a linear system of n unknowns n^3/3 + n^2. Where a tape has several
/// loops each has the mean number of passes. nan if a step is refused.
double step_cost(const study::RunPlan& plan, double step, double until);

}  // namespace dalembert::reproduce
