#include "dalembert/run/event/event_flow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

/// Halvings that lead to the last bit, or to a zero that is as near.
constexpr int most_halvings = 60;

}  // namespace

EventFlow::EventFlow(Stepper& stepper, EventFunctions functions)
    : stepper_(stepper),
      functions_(std::move(functions)),
      interpolates_(stepper.program().carried_count() > 0),
      trial_values_(functions_.size()) {
  if (stepper.program().method().tolerance() > 0.0) divide_.emplace(stepper);
}

void EventFlow::evaluate(const Point& point, std::vector<EventValues>& values) {
  std::span<const double> q = point.q;
  if (functions_.counts_turns()) {
    unwrap_positions(point, q_);
    q = q_;
  }
  std::ranges::copy(functions_.values(point.t, q, point.v), values.begin());
}

EventValues EventFlow::values_of(std::size_t event, const Point& point) {
  evaluate(point, trial_values_);
  return trial_values_[event];
}

Nearness EventFlow::nearness(const EventValues& at) const {
  const double h = step_size(), value = std::fabs(at.value), change = std::fabs(h * at.rate);
  const bool changes = change > stays_within * (at.size + h * at.rate_size);
  if (value <= stays_within * at.size && !changes) return Nearness::stays;
  return value <= zero_within * (at.size + change) ? Nearness::passes : Nearness::away;
}

bool EventFlow::is_near(const EventValues& at) const {
  const double reach = 2.0 * step_size() * at.rate, still = stays_within * at.size;
  return !(at.value * at.value >= reach * reach + still * still);
}

bool EventFlow::is_pushed_back(std::size_t event, const Point& point) {
  constexpr double small = 1e-6;
  const EventValues here = values_of(event, point);
  // Where the rate jumps, the function depends on velocities: along its gradient by these.
  slope_.resize(point.v.size());
  double square = 0.0;
  for (std::size_t i = 0; i < slope_.size(); ++i) {
    trial_ = point;
    const double change = small * (1.0 + std::fabs(point.v[i]));
    trial_.v[i] += change;
    slope_[i] = (values_of(event, trial_).value - here.value) / change;
    square += slope_[i] * slope_[i];
  }
  if (!(square > 0.0)) return false;
  const auto rate_at = [&](double value) {
    trial_ = point;
    for (std::size_t i = 0; i < slope_.size(); ++i)
      trial_.v[i] += slope_[i] * (value - here.value) / square;
    return values_of(event, trial_).rate;
  };
  const double aside = small * (here.size + std::fabs(step_size() * here.rate));
  return rate_at(aside) < 0.0 && rate_at(-aside) > 0.0;
}

StepReport EventFlow::take_steps(Point& point, double start, std::uint64_t first,
                                 std::uint64_t steps) {
  return divide_ ? (*divide_)(point, start, first, steps)
                 : stepper_.advance(point, start, first, steps);
}

StepReport EventFlow::step_from(Point& point, double end) {
  const double h = step_size();
  stepper_.set_step(end - point.t);
  const StepReport report = divide_ ? (*divide_)(point, point.t, 0, 1) : stepper_.step(point);
  stepper_.set_step(h);
  if (report.status == StepStatus::ok) point.t = end;
  return report;
}

double EventFlow::farthest_step(Point& point, double end) {
  double far = 0.0, too_far = 1.0;
  begin_ = point;
  for (int pass = 0; pass < most_halvings; ++pass) {
    const double fraction = 0.5 * (far + too_far);
    trial_ = begin_;
    if (step_from(trial_, begin_.t + fraction * (end - begin_.t)).status == StepStatus::ok) {
      far = fraction;
      point = trial_;
    } else {
      too_far = fraction;
    }
  }
  return point.t;
}

std::optional<EventFlow::Arrival> EventFlow::zero_ahead(const Point& begin, double end,
                                                        std::size_t event, int side,
                                                        EventValues at) {
  constexpr double nearly_all = 0.99;
  double t = begin.t;
  for (int pass = 0; pass < most_halvings && side * at.rate < 0.0; ++pass) {
    double next = t - nearly_all * at.value / at.rate;
    if (!(next > t)) return Arrival{t, at.rate};
    if (!(next < end)) next = 0.5 * (t + end);
    for (int halved = 0;; ++halved) {
      if (!(next > t) || halved == most_halvings) return std::nullopt;
      trial_ = begin;
      if (step_from(trial_, next).status == StepStatus::ok) break;
      next = 0.5 * (t + next);
    }
    t = next;
    const EventValues before = std::exchange(at, values_of(event, trial_));
    if (nearness(at) != Nearness::away || side_of(at.value) != side) return Arrival{t, before.rate};
  }
  return std::nullopt;
}

double EventFlow::step_as_far(Point& point, double end, std::span<const EventValues> now,
                              std::span<const int> sides) {
  if (interpolates_) return point.t;
  std::optional<double> first, last;  // of those that change something, and of all
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Event& event = functions_.event(i);
    if (sides[i] == 0 || !functions_.wants(i, sides[i] < 0)) continue;
    const auto zero = zero_ahead(point, end, i, sides[i], now[i]);
    if (!zero) continue;
    last = numeric::larger(last.value_or(zero->t), zero->t);
    if (event.acts() || event.stop_after > 0)
      first = numeric::smaller(first.value_or(zero->t), zero->t);
  }
  if (!last) return farthest_step(point, end);
  static_cast<void>(step_from(point, first.value_or(*last)));
  return point.t;
}

bool EventFlow::go_to(const Span& span, double fraction, Point& point) {
  const double t = span.from + fraction * (span.to - span.from);
  if (fraction >= 1.0) {
    point = *span.end;
    return true;
  }
  point = *span.begin;
  point.t = span.from;
  if (!interpolates_) {
    if (!(t > span.from)) return true;
    const StepReport report = step_from(point, t);
    if (report.status == StepStatus::ok) return true;
    failure_ = report;
    has_failed_ = true;
    return false;
  }
  unwrap_positions(*span.begin, q_begin_);
  interpolation_.begin_at(point, q_begin_, {});
  unwrap_positions(*span.end, q_end_);
  const Sample after{0, span.to, q_end_, span.end->v, {}, span.end};
  interpolation_.show_at(t, after, [&](const Sample& sample) {
    point = *sample.point;
    return true;
  });
  return true;
}

EventValues EventFlow::values_at(const Span& span, std::size_t event, double fraction) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!go_to(span, fraction, trial_)) return {nan, nan};
  return values_of(event, trial_);
}

}  // namespace dalembert
