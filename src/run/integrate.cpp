#include "dalembert/run/integrate.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/run/adaptive.hpp"
#include "dalembert/run/event/event_advance.hpp"

namespace dalembert {
namespace {

/// Which states of a run are shown.
class Schedule {
 public:
  explicit Schedule(const RunOptions& options) : options_(options) {}

  /// Steps from state number `done` to the next that is shown.
  std::uint64_t steps_unseen(std::uint64_t done) {
    if (next_ <= done) next_ = options_.next ? options_.next(done) : after(done, every_);
    const std::uint64_t every = options_.glance_every;
    return (every == 0 ? next_ : std::min<std::uint64_t>(next_, after(done, every))) - done;
  }
  /// Whether a state is one to glance at only, `report` being how the steps to it went.
  bool is_glance(const StepReport& report, std::uint64_t asked, std::uint64_t reached) const {
    return report.status == StepStatus::ok && report.steps == asked && reached < next_ &&
           reached < options_.first_step + options_.steps;
  }
  /// A state was shown before its time.
  void begin_anew() { next_ = 0; }

 private:
  static std::uint64_t after(std::uint64_t step, std::uint64_t every) {
    return (step / every + 1) * every;
  }

  const RunOptions& options_;
  std::uint64_t every_ = std::max<std::uint64_t>(1, options_.observe_every), next_ = 0;
};

/// Builds samples without allocating per step.
class Sampler {
 public:
  Sampler(const StepProgram& program, Evaluator& evaluator)
      : evaluator_(evaluator),
        q_(program.storage_count()),
        lambda_(evaluator.system().constraint_count()),
        reports_own_lambda_(program.lambda_count() > 0) {}

  Sample operator()(std::uint64_t step, const Point& point) {
    unwrap_positions(point, q_);
    if (reports_own_lambda_) {
      lambda_ = point.lambda;
    } else if (!lambda_.empty()) {
      evaluator_.multiplier(point.t, point.q, point.v, lambda_);
    }
    return {step, point.t, q_, point.v, lambda_, &point};
  }

 private:
  Evaluator& evaluator_;
  std::vector<double> q_, lambda_;
  bool reports_own_lambda_;
};

}  // namespace

void unwrap_positions(const Point& point, std::vector<double>& q) {
  q.resize(point.q.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = numeric::unwrapped(point.q[i], point.turns[i]);
}

std::string failure_text(const StepProgram& program, const StepReport& report, std::uint64_t step,
                         double t) {
  const std::string where = "method \"" + program.method().name() + "\" on system \"" +
                            program.system().name() + "\" failed in step " +
                            std::to_string(step + 1) + " at t = " + to_string(t) + ": ";
  if (report.status == StepStatus::not_converged) {
    return where + "the iteration did not converge (residual " + to_string(report.residual) +
           "); a smaller step may help";
  }
  if (report.status == StepStatus::event_refused) return where + "an event could not take place";
  return where + "the new state is not finite (residual " + to_string(report.residual) + ")";
}

namespace {

/// The same where an event may have been the reason.
std::string refusal_text(const StepProgram& program, const StepReport& report, std::uint64_t step,
                         double t, const EventAdvance* events) {
  if (events == nullptr || events->refusal().empty()) return failure_text(program, report, step, t);
  return "method \"" + program.method().name() + "\" on system \"" + program.system().name() +
         "\" failed in step " + std::to_string(step + 1) + " at t = " + to_string(t) + ": " +
         events->refusal();
}

}  // namespace

RunReport integrate(Stepper& stepper, Evaluator& evaluator, Point& point, const RunOptions& options,
                    const Observer& observer) {
  Sampler sample(stepper.program(), evaluator);
  AdaptiveAdvance divide(stepper);
  const bool adaptive = stepper.tolerance() > 0.0;
  RunReport result;
  Schedule schedule(options);
  std::uint64_t shown = options.first_step;
  if (options.first_step == 0 && observer && !observer(sample(0, point))) {
    result.status = RunReport::Status::stopped;
    return result;
  }
  while (result.steps < options.steps) {
    const std::uint64_t done = options.first_step + result.steps;
    const std::uint64_t chunk = std::min(schedule.steps_unseen(done), options.steps - result.steps);
    const double start = options.start_time;
    const StepReport report = options.events != nullptr
                                  ? (*options.events)(point, start, done, chunk)
                              : adaptive ? divide(point, start, done, chunk)
                                         : stepper.advance(point, start, done, chunk);
    result.steps += report.steps;
    result.iterations += report.iterations;
    result.rejected = divide.rejected();
    if (options.events != nullptr) {
      result.rejected = options.events->rejected();
      result.ended_by = options.events->ended_by();
    }
    const std::uint64_t reached = options.first_step + result.steps;
    if (result.ended_by) {
      if (observer) static_cast<void>(observer(sample(reached + 1, point)));
      return result;
    }
    if (schedule.is_glance(report, chunk, reached) && options.glance(point)) continue;
    const bool proceed = !observer || reached == shown || observer(sample(reached, point));
    schedule.begin_anew();
    shown = reached;
    if (report.status != StepStatus::ok) {
      result.status = RunReport::Status::failed;
      result.residual = report.residual;
      result.message = refusal_text(stepper.program(), report, reached, point.t, options.events);
      return result;
    }
    if (!proceed) {
      result.status = RunReport::Status::stopped;
      return result;
    }
  }
  return result;
}

namespace {

StepReport step_to(Stepper& stepper, Point& point, double end, std::uint64_t& rejected) {
  const double h = stepper.step_size();
  const bool adaptive = stepper.tolerance() > 0.0;
  stepper.set_step(end - point.t);
  AdaptiveAdvance divide(stepper);
  const StepReport report = adaptive ? divide(point, point.t, 0, 1) : stepper.step(point);
  stepper.set_step(h);
  rejected = divide.rejected();
  return report;
}

}  // namespace

RunReport integrate_to(Stepper& stepper, Evaluator& evaluator, Point& point, double end,
                       std::uint64_t step, const Observer& observer, EventAdvance* events) {
  RunReport result;
  const StepReport report = events != nullptr ? events->advance_to(point, end)
                                              : step_to(stepper, point, end, result.rejected);
  result.steps = report.steps;
  result.iterations = report.iterations;
  if (events != nullptr) {
    result.rejected = events->rejected();
    result.ended_by = events->ended_by();
  }
  if (report.status != StepStatus::ok) {
    result.status = RunReport::Status::failed;
    result.residual = report.residual;
    result.message = refusal_text(stepper.program(), report, step - 1, point.t, events);
    return result;
  }
  // A time and a difference need not add up to it.
  if (!result.ended_by) point.t = end;
  Sampler sample(stepper.program(), evaluator);
  if (observer && !observer(sample(step, point))) result.status = RunReport::Status::stopped;
  return result;
}

StartPoints::StartPoints(const Stepper& stepper, Evaluator& evaluator)
    : stepper_(stepper), evaluator_(evaluator) {
  const StepProgram& program = stepper.program();
  const System& system = program.system();
  if (program.carried_count() > 0) {
    const Symbols s = system.symbols();
    const Vector lambda = system.eliminated(s.q, s.v, s.t).lambda;
    carried_ = {system, s, program.method().carried_start(system, {s.q, s.v, lambda, {}, s.t}),
                evaluator.parameters()};
  }
  if (!program.options().wrap_angles) return;
  const std::vector<Coordinate> stored = system.configuration().storage();
  for (std::size_t i = 0; i < stored.size(); ++i)
    if (stored[i].is_angle) angles_.push_back(i);
}

Point StartPoints::operator()(std::span<const double> q, std::span<const double> v, double t) {
  evaluator_.check_regular(t, q, v);
  if (const auto misfit = stepper_.program().method().start_misfit(v)) throw RequestError(*misfit);
  Point point = stepper_.make_point(q, v);
  point.t = t;
  if (!point.lambda.empty()) evaluator_.multiplier(t, q, v, point.lambda);
  if (!point.carried.empty()) carried_.evaluate(t, q, v, {}, point.carried);
  for (const std::size_t i : angles_) numeric::wrap(point.q[i], point.turns[i]);
  return point;
}

Point start_point(const Stepper& stepper, Evaluator& evaluator, std::span<const double> q,
                  std::span<const double> v, double t) {
  return StartPoints(stepper, evaluator)(q, v, t);
}

}  // namespace dalembert
