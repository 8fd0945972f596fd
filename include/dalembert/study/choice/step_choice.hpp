#pragma once

#include <memory>
#include <span>

#include "dalembert/mechanics/start.hpp"
#include "dalembert/step/step_program.hpp"

namespace dalembert::study {

/// The tolerances for which a step can be chosen: below, round-off is larger; above, nothing of the
/// motion is left.
constexpr double least_tolerance = 1e-12, largest_tolerance = 0.1;

/// The largest step, of two digits, with which the error of q and v stays below the tolerance,
/// relative to one plus their size, over the first tenth of a run until `until` (or the first 20000
/// steps of it). Errors are estimated by comparing with half the step. The step then stays as it
/// is: what a method preserves, it preserves with steps of one size. Of a method that controls its
/// error itself the distance of nodes: about eight of its substeps, at most a two-hundredth of the
/// run. RequestError, with the reason, where no step is small enough.
double chosen_step(const std::shared_ptr<const StepProgram>& program, const Start& start,
                   std::span<const double> parameters, double until, double tolerance);

}  // namespace dalembert::study
