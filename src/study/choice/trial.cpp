#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study/choice/error_check.hpp"

namespace dalembert::study {
namespace {

void add_row(const Point& point, std::vector<double>& q, std::vector<double>& states) {
  unwrap_positions(point, q);
  states.insert(states.end(), q.begin(), q.end());
  states.insert(states.end(), point.v.begin(), point.v.end());
}

bool is_finite(const std::vector<double>& values, std::size_t from) {
  return std::all_of(values.begin() + static_cast<std::ptrdiff_t>(from), values.end(),
                     [](double value) { return std::isfinite(value); });
}

}  // namespace

Difference difference(const Trace& a, const Trace& b, double limit) {
  const std::size_t rows = std::min<std::size_t>(a.groups.size(), b.groups.size());
  if (rows == 0) return {};
  Difference found{0.0, 0.0, 0.0};
  const auto last = static_cast<double>(a.groups[rows - 1]);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto state = [&](const Trace& trace) {
      return std::span(trace.states).subspan(row * a.width, a.width);
    };
    found.whole = numeric::larger(found.whole, state_difference(state(a), state(b)));
    const double part = static_cast<double>(a.groups[row]) / last;
    if (row == 0 || part <= 0.5) found.first_half = found.whole;
    if (found.whole <= limit) found.kept = part;
  }
  return found;
}

Trial::Trial(std::shared_ptr<const StepProgram> program, Start start,
             std::vector<double> parameters, std::vector<Event> events, bool divides)
    : program_(std::move(program)),
      start_(std::move(start)),
      parameters_(std::move(parameters)),
      events_(std::move(events)),
      divides_(divides),
      cost_(step_cost(*program_, divides)) {}

Trace Trial::run(const TrialSteps& steps) {
  Stepper stepper(program_, steps.size, parameters_);
  stepper.set_tolerance(divides_ ? steps.tolerance : 0.0);
  Evaluator evaluator(program_->system(), parameters_);
  Point point = start_point(stepper, evaluator, start_.q, start_.v);
  if (start_.lambda && start_.lambda->size() == point.lambda.size()) point.lambda = *start_.lambda;
  std::optional<EventAdvance> events;
  if (!events_.empty())
    events.emplace(stepper, EventFunctions(program_->system(), events_, parameters_), parameters_,
                   std::vector<EventHistory>{});
  Trace trace;
  trace.width = point.q.size() + point.v.size();
  std::vector<double> q;
  std::uint64_t groups = 0, rejected = 0;
  while (groups < steps.groups && trace.cost <= steps.most_cost) {
    const std::uint64_t next =
        std::min<std::uint64_t>(steps.groups, next_compared(groups, steps.every));
    const RunReport report = integrate(stepper, evaluator, point,
                                       {.first_step = groups * steps.nodes_in_group,
                                        .steps = (next - groups) * steps.nodes_in_group,
                                        .events = events ? &*events : nullptr},
                                       {});
    groups = next;
    const auto taken = static_cast<double>(report.steps),
               passes = static_cast<double>(report.iterations);
    // Events count what was rejected from the beginning.
    const std::uint64_t refused = events ? report.rejected - rejected : report.rejected;
    rejected = report.rejected;
    const double cost = divides_ ? (taken + passes) * cost_.step : cost_.of(taken, passes);
    trace.cost += cost;
    spent_ += cost;
    trace.steps += divides_ ? taken + passes - static_cast<double>(refused) : taken;
    trace.iterates = trace.iterates || (!divides_ && passes > 0.0);
    trace.reached = point.t;
    const std::size_t begin = trace.states.size();
    add_row(point, q, trace.states);
    const bool finite = is_finite(trace.states, begin);
    if (report.status != RunReport::Status::ok || report.ended_by || !finite) {
      trace.states.resize(begin);
      trace.complete = trace.ended = report.ended_by.has_value() && finite;
      return trace;
    }
    trace.groups.push_back(groups);
  }
  trace.complete = groups == steps.groups;
  return trace;
}

}  // namespace dalembert::study
