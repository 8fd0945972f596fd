#pragma once

#include <memory>
#include <span>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/step/step_program.hpp"
#include "dalembert/study/choice/error_check.hpp"

namespace dalembert::study {

/// The tolerances for which a step can be chosen: below, round-off is larger; above, nothing of the
/// motion is left.
constexpr double least_tolerance = 1e-12, largest_tolerance = 0.1;

/// Limits of the searches for a method and for its step, in the nanoseconds of StepCost: so much,
/// or a tenth of the run if that is more. The whole run tells the step, a part of it the method.
constexpr double method_search = 2e8, step_search = 8e8;

/// The steps with which a run keeps a tolerance.
struct StepChoice {
  double step = 0.0;       ///< of two digits; the distance of nodes, of a method that divides steps
  double tolerance = 0.0;  ///< of its substeps then, of one digit; else 0
  ErrorCheck check;        ///< second run by which the error is estimated
  double error = 0.0;      ///< as estimated, at the end
  double cost = 0.0;       ///< counted, per unit of time: see StepCost
  /// The time up to which the tolerance is kept: infinite, but where motions forget their start.
  double kept_until = 0.0;
  double looked_until = 0.0;  ///< the part of the run that was looked at
};

/// The largest step with which the error of q and v stays below the tolerance, relative to one plus
/// their size, in a run until `until` (or until an event ends it). Errors are estimated by a second
/// run, with 4/3 of the step or ten times the tolerance of substeps, and looked at over the whole
/// run; where that costs more than the search may, over a part of it, from which they are taken to
/// grow as they did there. The step then stays as it is: what a method preserves, it preserves with
/// steps of one size. Where a motion forgets its start, the step keeps the tolerance as long as
/// that can be. RequestError, with the reason, where steps of no size can be taken.
StepChoice choose_step(const std::shared_ptr<const StepProgram>& program, const Start& start,
                       std::span<const double> parameters, const std::vector<Event>& events,
                       double until, double tolerance);

}  // namespace dalembert::study
