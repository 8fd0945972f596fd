#include "dalembert/run/event/event_zeros.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

constexpr double round_off_of_one = std::numeric_limits<double>::epsilon();

int sign_of(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

/// Whether the cubic through values and rates at both ends of a step stays far enough from zero, on
/// one side, to be believed.
bool stays_away(const EventValues& begin, const EventValues& end, int side, double h) {
  constexpr int places = 16;
  const double least = 0.5 * numeric::smaller(std::fabs(begin.value), std::fabs(end.value));
  for (int i = 1; i < places; ++i) {
    const double s = static_cast<double>(i) / places, r = 1.0 - s;
    const double value = r * r * (1.0 + 2.0 * s) * begin.value +
                         s * s * (3.0 - 2.0 * s) * end.value +
                         h * s * r * (r * begin.rate - s * end.rate);
    if (!(side * value > least)) return false;
  }
  return true;
}

}  // namespace

EventZeros::EventZeros(Stepper& stepper, EventFunctions functions)
    : stepper_(stepper),
      functions_(std::move(functions)),
      interpolates_(stepper.program().carried_count() > 0),
      trial_values_(functions_.size()) {
  if (stepper.program().method().tolerance() > 0.0) divide_.emplace(stepper);
}

void EventZeros::evaluate(const Point& point, std::vector<EventValues>& values) {
  std::span<const double> q = point.q;
  if (functions_.counts_turns()) {
    unwrap_positions(point, q_);
    q = q_;
  }
  const std::span<const double> found = functions_.values(point.t, q, point.v);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {found[2 * i], found[2 * i + 1]};
}

int EventZeros::side_of(const EventValues& at) const {
  return is_zero(at) ? sign_of(at.rate) : sign_of(at.value);
}

bool EventZeros::is_zero(const EventValues& at) const {
  return std::fabs(at.value) <= 64.0 * round_off_of_one * std::fabs(stepper_.step_size() * at.rate);
}

bool EventZeros::is_near(const EventValues& at) const {
  const double reach = 2.0 * stepper_.step_size() * at.rate;
  return !(at.value * at.value >= reach * reach);
}

StepReport EventZeros::take_steps(Point& point, double start, std::uint64_t first,
                                  std::uint64_t steps) {
  return divide_ ? (*divide_)(point, start, first, steps)
                 : stepper_.advance(point, start, first, steps);
}

StepReport EventZeros::step_from(Point& point, double end) {
  const double h = stepper_.step_size();
  stepper_.set_step(end - point.t);
  const StepReport report = divide_ ? (*divide_)(point, point.t, 0, 1) : stepper_.step(point);
  stepper_.set_step(h);
  if (report.status == StepStatus::ok) point.t = end;
  return report;
}

bool EventZeros::wants(std::size_t event, bool rising) const {
  const Direction direction = functions_.event(event).direction;
  return direction == Direction::both || (direction == Direction::rising) == rising;
}

bool EventZeros::go_to(const Span& span, double fraction, Point& point) {
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

EventValues EventZeros::values_at(const Span& span, std::size_t event, double fraction) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!go_to(span, fraction, trial_)) return {nan, nan};
  evaluate(trial_, trial_values_);
  return trial_values_[event];
}

/// Where the function or its rate, of different signs at both ends, is zero: the Illinois form of
/// false position. Nothing where it jumps.
std::optional<double> EventZeros::locate(const Span& span, std::size_t event, Part part, double low,
                                         double high, double at_low, double at_high) {
  constexpr int most_passes = 200;
  const double scale = std::fabs(at_low) + std::fabs(at_high);
  double a = low, at_a = at_low, b = high, at_b = at_high;
  if (at_b == 0.0) return b;
  double value = at_b;
  for (int pass = 0; pass < most_passes && value != 0.0; ++pass) {
    const double next = b - at_b * (b - a) / (at_b - at_a);
    if (!(std::fabs(next - b) > round_off_of_one)) break;
    value = part_of(values_at(span, event, next), part);
    if (std::isnan(value)) return std::nullopt;
    if (value * at_b < 0.0) {
      a = b;
      at_a = at_b;
    } else {
      at_a /= 2.0;  // the end that stays counts half
    }
    b = next;
    at_b = value;
  }
  if (!(std::fabs(value) <= 1e-6 * scale)) return std::nullopt;
  return b;
}

void EventZeros::find_between(const Span& span, std::size_t event, double low, double high,
                              EventValues at_low, EventValues at_high) {
  const bool rising = at_high.value > 0.0 || (at_high.value == 0.0 && at_high.rate > 0.0);
  if (!wants(event, rising)) return;
  const auto found = locate(span, event, Part::value, low, high, at_low.value, at_high.value);
  if (found) found_.push_back({*found, event, rising});
}

bool EventZeros::find(const Span& span, std::span<const int> sides) {
  found_.clear();
  has_failed_ = false;
  for (std::size_t i = 0; i < sides.size() && !has_failed_; ++i)
    if (sides[i] != 0) find_of(span, i, sides[i]);
  std::ranges::sort(found_, [](const EventZero& a, const EventZero& b) {
    return a.fraction != b.fraction ? a.fraction < b.fraction : a.event < b.event;
  });
  return !has_failed_;
}

void EventZeros::find_of(const Span& span, std::size_t event, int side) {
  const EventValues begin = (*span.at_begin)[event], end = (*span.at_end)[event];
  const bool crosses = side_of(end) != side;
  const bool leaves = side * begin.rate > 0.0, returns = side * end.rate < 0.0;
  if (crosses && !(leaves && returns)) {
    // From zero, and not away from it: at once. Not quite at zero: at the end.
    if (sign_of(begin.value) == side && sign_of(end.value) != side) {
      find_between(span, event, 0.0, 1.0, begin, end);
    } else if (wants(event, side < 0)) {
      found_.push_back({sign_of(begin.value) != side ? 0.0 : 1.0, event, side < 0});
    }
    return;
  }
  const bool may_dip = side * begin.rate < 0.0 && side * end.rate > 0.0 && is_near(end) &&
                       !stays_away(begin, end, side, span.to - span.from);
  if (!crosses && !may_dip) return;
  // The function turns back on the way.
  const auto turn = locate(span, event, Part::rate, 0.0, 1.0, begin.rate, end.rate);
  if (!turn) return;
  const EventValues middle = values_at(span, event, *turn);
  if (crosses) {
    if (sign_of(middle.value) == side) find_between(span, event, *turn, 1.0, middle, end);
    return;
  }
  // Zeros nearer to each other than a millionth of the step are a touch.
  const double touch = 1e-13 * (span.to - span.from) * std::fabs(end.rate - begin.rate);
  if (!(-side * middle.value > touch)) return;
  find_between(span, event, 0.0, *turn, begin, middle);
  find_between(span, event, *turn, 1.0, middle, end);
}

}  // namespace dalembert
