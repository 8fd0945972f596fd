#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

class EventAdvance;

/// State that an observer sees: the one after `step` steps. Angles are unwrapped; lambda is the
/// multiplier that the method reports, or the continuous multiplier at the node. Valid during the
/// call only.
struct Sample {
  std::uint64_t step = 0;                ///< number of steps from the start
  double t = 0.0;                        ///< time
  std::span<const double> q, v, lambda;  ///< positions, velocities, multipliers
  /// The state as the stepper holds it, angles wrapped: the point at which to evaluate the
  /// mechanics at, and enough to continue bit for bit.
  const Point* point = nullptr;
};

/// Sees samples; returns false to stop the run.
using Observer = std::function<bool(const Sample&)>;

/// Options of `integrate`.
struct RunOptions {
  double start_time = 0.0;       ///< time of step 0, also when a run is continued
  std::uint64_t first_step = 0;  ///< number of the first step, when a run is continued
  std::uint64_t steps = 0;       ///< number of steps to take
  std::uint64_t observe_every =
      1;  ///< steps between observations; the first and the last state are always observed
  /// In the place of `observe_every`: the number of the next step, after the one that was observed
  /// last, whose state is to be observed. A stepper that watches (Stepper::watch) shows a state
  /// before that where something is out of bounds.
  std::function<std::uint64_t(std::uint64_t observed)> next = {};
  /// Sees the bare states in between at multiples of `glance_every` steps, if that is not 0; a
  /// state is observed at once where it returns false.
  std::function<bool(const Point&)> glance = {};
  std::uint64_t glance_every = 0;  ///< steps between glances; 0: none
  EventAdvance* events = nullptr;  ///< of the same stepper, if there are any
};

/// Outcome of a run.
struct RunReport {
  /// End of the run: as asked, at a refused step, or by the observer.
  enum class Status { ok, failed, stopped } status = Status::ok;
  std::string message;           ///< one sentence when it failed: step, time, residual
  double residual = 0.0;         ///< of a refused step
  std::uint64_t steps = 0;       ///< completed
  std::uint64_t iterations = 0;  ///< passes through the equations beyond one for each step
  std::uint64_t rejected = 0;    ///< substeps, of a method that divides its steps
  /// The number of the event that has ended the run, which then is ok; the state is that at the
  /// event, and has been observed with the number of the step that was not completed.
  std::optional<std::size_t> ended_by = {};
};

/// Integrates from `point` on a grid start + k h with the stepper's h, showing samples to the
/// observer. If a step is refused, the run ends with the state before it in `point` and a message;
/// nothing throws. No allocation per step.
[[nodiscard]] RunReport integrate(Stepper& stepper, Evaluator& evaluator, Point& point,
                                  const RunOptions& options, const Observer& observer);

/// One further step to `end` > point.t, of the size that it takes; the stepper keeps its own. The
/// observer sees it as number `step`, and a message counts it so. An event may end it before.
[[nodiscard]] RunReport integrate_to(Stepper& stepper, Evaluator& evaluator, Point& point,
                                     double end, std::uint64_t step, const Observer& observer,
                                     EventAdvance* events = nullptr);

/// One sentence about a refused step: method, system, number of the step (`step` were completed),
/// time, residual.
std::string failure_text(const StepProgram& program, const StepReport& report, std::uint64_t step,
                         double t);

/// The positions of a point with the turns of angles, into `q`.
void unwrap_positions(const Point& point, std::vector<double>& q);

/// Points to start runs from, with the exact multiplier and what else the method carries. What that
/// needs is compiled once for all points. One per thread.
class StartPoints {
 public:
  /// Points of the stepper's program, at the evaluator's parameters; both are to outlive it.
  StartPoints(const Stepper& stepper, Evaluator& evaluator);
  /// The point at (t, q, v). Throws RequestError, naming what, where and by how much, if the mass
  /// matrix is singular there, the constraints are dependent or violated, or an expression is
  /// undefined; or if the method cannot start with these velocities.
  Point operator()(std::span<const double> q, std::span<const double> v, double t = 0.0);

 private:
  const Stepper& stepper_;
  Evaluator& evaluator_;
  StateFunction<double> carried_;
  std::vector<std::size_t> angles_;  ///< entries of q that are wrapped
};

/// One of `StartPoints`.
Point start_point(const Stepper& stepper, Evaluator& evaluator, std::span<const double> q,
                  std::span<const double> v, double t = 0.0);

}  // namespace dalembert
