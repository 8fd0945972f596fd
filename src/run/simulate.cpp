#include "dalembert/run/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/mechanics/rank/independent_start.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/settle_quadrature.hpp"

namespace dalembert {

/// Fills the rows of a solution as the run goes on.
class SolutionWriter {
 public:
  /// `full` is null where no constraint follows from others.
  SolutionWriter(const System& system, Evaluator& evaluator, FullMultipliers* full,
                 Solution& solution)
      : evaluator_(evaluator), full_(full), solution_(solution) {
    for (const Coordinate& number : system.configuration().storage())
      solution_.q_.names.push_back(number.name);
    if (!system.is_skew_gradient()) solution_.v_.names = system.configuration().velocity_columns();
    solution_.lambda_.names = system.multiplier_names();
    for (const auto& [name, value] : system.mechanics().integrals)
      solution_.integrals_.names.push_back(name);
  }

  void reserve(std::size_t records) {
    for (auto* values : {&solution_.times_, &solution_.energies_, &solution_.constraint_errors_})
      values->reserve(records);
    for (auto* rows : {&solution_.q_, &solution_.v_, &solution_.lambda_, &solution_.integrals_})
      rows->values.reserve(records * rows->names.size());
  }

  /// The mechanics keeps more digits with the wrapped angles of the stepper's own point. False
  /// where constraints that are left out no longer follow from the others.
  bool operator()(const Sample& sample) {
    const Point& at = *sample.point;
    solution_.times_.push_back(sample.t);
    append(solution_.q_, sample.q);
    append(solution_.v_, sample.v);
    append_multipliers(sample);
    solution_.energies_.push_back(evaluator_.energy(at.t, at.q, at.v));
    solution_.constraint_errors_.push_back(full_ != nullptr
                                               ? full_->constraint_error(at.t, at.q, at.v)
                                               : evaluator_.constraint_error(at.t, at.q, at.v));
    auto& values = solution_.integrals_.values;
    const std::size_t count = solution_.integrals_.names.size();
    values.resize(values.size() + count);
    evaluator_.integrals(at.t, at.q, at.v, std::span(values).last(count));
    const std::string misfit = full_ != nullptr ? full_->misfit(at.t, at.q, at.v) : "";
    if (misfit.empty()) return true;
    solution_.status = Solution::Status::failed;
    solution_.message = "system \"" + evaluator_.system().name() +
                        "\" at t = " + to_string(sample.t) + ": " + misfit;
    return false;
  }

 private:
  static void append(Solution::Rows& rows, std::span<const double> values) {
    rows.values.insert(rows.values.end(), values.begin(), values.end());
  }

  void append_multipliers(const Sample& sample) {
    if (full_ == nullptr) return append(solution_.lambda_, sample.lambda);
    auto& values = solution_.lambda_.values;
    const std::size_t count = solution_.lambda_.names.size();
    values.resize(values.size() + count);
    (*full_)(sample.t, sample.point->q, sample.v, sample.lambda, std::span(values).last(count));
  }

  Evaluator& evaluator_;
  FullMultipliers* full_;
  Solution& solution_;
};

namespace {

/// The shorter step, after all others.
void take_last_step(Stepper& stepper, Evaluator& evaluator, Point& point, double end,
                    const Observer& observer, EventAdvance* events, RunReport& report) {
  const std::uint64_t step = report.steps + 1;
  const RunReport last = integrate_to(stepper, evaluator, point, end, step, observer, events);
  report.steps += last.steps;
  report.ended_by = last.ended_by;
  report.iterations += last.iterations;
  report.residual = last.residual;
  report.status = last.status;
  report.message = last.message;
}

}  // namespace

const Start& StartChoice::in(const Problem& problem) const {
  if (const Start* start = std::get_if<Start>(&choice_)) return *start;
  return problem.start(std::get<std::string>(choice_));
}

StepCount asked_steps(double h, double until, std::uint64_t steps) {
  if (!(h > 0.0) || !std::isfinite(h))
    throw RequestError("step is " + to_string(h) + "; it must be > 0");
  if ((until != 0.0) == (steps != 0))
    throw RequestError("a run needs either until (a time) or steps (a number of steps)");
  return steps != 0 ? StepCount{steps} : steps_until(until, h);
}

void check_last_step(const StepProgram& program, const StepCount& steps, double h, double until) {
  if (steps.last == 0.0 || program.carried_count() == 0) return;
  throw RequestError("until is " + to_string(until) + ", no multiple of the step " + to_string(h) +
                     ", and method \"" + program.method().name() +
                     "\" carries data of steps of one size; choose a multiple");
}

std::vector<double> run_parameters(const System& system, const Start& start,
                                   const NamedValues& given) {
  NamedValues values = given;
  values.insert(start.parameters.begin(), start.parameters.end());
  return named_parameter_values(system, values);
}

Point first_point(const Stepper& stepper, Evaluator& evaluator, const Start& ready) {
  Point point = start_point(stepper, evaluator, ready.q, ready.v);
  if (ready.lambda && !point.lambda.empty()) point.lambda = *ready.lambda;
  return point;
}

StepCount steps_until(double until, double h) {
  constexpr double most_steps = 1e12;
  if (!(until > 0.0))
    throw RequestError("until is " + to_string(until) + "; the final time must be > 0");
  const double count = std::round(until / h), whole = std::floor(until / h);
  // A product such as 3 * 0.1 and a decimal number that was meant to be it differ by round-off,
  // which for very many steps is more than a part of one.
  const double round_off = std::min(1e-12 * until, 1e-3 * h);
  const bool is_multiple = std::fabs(count * h - until) <= round_off;
  if ((is_multiple ? count : whole) < 1.0)
    throw RequestError("until is " + to_string(until) + ", less than a step of " + to_string(h));
  if (!(count <= most_steps))
    throw RequestError("until asks for " + to_string(count) + " steps of " + to_string(h) +
                       "; at most 1e12 are allowed");
  if (is_multiple) return {static_cast<std::uint64_t>(count)};
  return {static_cast<std::uint64_t>(whole), until - whole * h};
}

namespace {

/// Steps of `problem.system`; results are those of all constraints where some follow from others.
Solution simulated(const Problem& problem, const Method& method, const Start& wanted,
                   const SimulateOptions& options,
                   const std::shared_ptr<const Redundancy>& redundancy) {
  const System& system = problem.system;
  const StepCount steps = asked_steps(options.step, options.until, options.steps);
  std::vector<Event> all_events = problem.events;
  all_events.insert(all_events.end(), options.events.begin(), options.events.end());
  const std::vector<double> parameters = run_parameters(system, wanted, options.parameters);
  Evaluator evaluator(system, parameters);
  const auto program = StepProgram::compile(system, method,
                                            {.compensated = options.compensated,
                                             .wrap_angles = options.wrap_angles,
                                             .watched = !all_events.empty(),
                                             .also_watched = watched_events(system, all_events)});
  const Start ready = prepare_start(evaluator, wanted);
  Stepper stepper(settle_quadrature(program, parameters, ready.q, ready.v, options.step),
                  options.step, parameters);
  check_last_step(stepper.program(), steps, options.step, options.until);
  std::optional<EventAdvance> events;
  if (!all_events.empty()) {
    stepper.watch();
    events.emplace(stepper, EventFunctions(system, all_events, parameters), parameters);
  }
  EventAdvance* const on_the_way = events ? &*events : nullptr;
  Solution solution;
  solution.point = first_point(stepper, evaluator, ready);
  std::optional<FullMultipliers> full;
  if (redundancy) full.emplace(redundancy, parameters);
  SolutionWriter write(redundancy ? redundancy->all() : system, evaluator, full ? &*full : nullptr,
                       solution);
  constexpr std::uint64_t most_reserved = 1u << 16u;
  const std::uint64_t every = std::max<std::uint64_t>(1, options.record_every);
  write.reserve(static_cast<std::size_t>(std::min(steps.whole / every + 2, most_reserved)));
  RunReport report = integrate(stepper, evaluator, solution.point,
                               {.steps = steps.whole, .observe_every = every, .events = on_the_way},
                               [&](const Sample& sample) {
                                 // The last of the whole steps is none of the records that were
                                 // asked for, and not the end.
                                 const bool is_passed =
                                     steps.last > 0.0 && sample.step == steps.whole;
                                 return (is_passed && sample.step % every != 0) || write(sample);
                               });
  const Observer writer = [&](const Sample& sample) { return write(sample); };
  if (steps.last > 0.0 && report.status == RunReport::Status::ok && !report.ended_by) {
    take_last_step(stepper, evaluator, solution.point, options.until, writer, on_the_way, report);
    // Up to where it was refused.
    if (report.status == RunReport::Status::failed && steps.whole % every != 0)
      static_cast<void>(integrate(stepper, evaluator, solution.point, {}, writer));
  }
  if (events) solution.events = events->take();
  solution.ended_by = report.ended_by;
  solution.steps = report.steps;
  solution.iterations = report.iterations;
  solution.residual = report.residual;
  if (solution.ok()) solution.message = report.message;
  if (report.status == RunReport::Status::failed) solution.status = Solution::Status::failed;
  if (options.strict && !solution.ok())
    throw StepError(solution.message, report.steps + 1, solution.point.t, report.residual);
  return solution;
}

}  // namespace

Solution simulate(const Problem& problem, const Method& method, const StartChoice& start,
                  const SimulateOptions& options) {
  const Start& wanted = start.in(problem);
  std::exception_ptr refusal;
  try {
    return simulated(problem, method, wanted, options, nullptr);
  } catch (const DependentConstraints&) {
    refusal = std::current_exception();
  }
  const IndependentStart found = independent_start(
      problem.system, wanted, run_parameters(problem.system, wanted, options.parameters));
  if (!found.redundancy) std::rethrow_exception(refusal);
  return simulated({found.system, {}, problem.events}, method, found.start, options,
                   found.redundancy);
}

Solution simulate(const System& system, const Method& method, const StartChoice& start,
                  const SimulateOptions& options) {
  return simulate(Problem{system}, method, start, options);
}

}  // namespace dalembert
