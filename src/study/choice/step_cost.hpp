#pragma once
// What steps cost, counted. Only for the sources of this room.

#include "dalembert/step/step_program.hpp"

namespace dalembert::study {

/// The time of a step, counted in the instructions that it interprets, in nanoseconds of one
/// machine: on every machine the same number, so that what is chosen by it is the same, too.
struct StepCost {
  double step = 0.0;            ///< without what iterates, or of a substep
  double pass = 0.0;            ///< of a pass of an iteration, in the mean of its loops
  double counted_passes = 0.0;  ///< that reports count in each step and `step` includes

  double of(double steps, double passes) const {
    return steps * (step - counted_passes * pass) + passes * pass;
  }
};

/// The cost of a program's steps without its fallback, which few steps need: each of its passes is
/// of one kind. `divides`: of substeps.
StepCost step_cost(const StepProgram& program, bool divides);

}  // namespace dalembert::study
