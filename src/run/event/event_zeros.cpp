#include "dalembert/run/event/event_zeros.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

constexpr double round_off_of_one = std::numeric_limits<double>::epsilon();
/// Of the size of its terms: a function that is nearer to zero is zero.
constexpr double zero_within = 64.0 * round_off_of_one;
/// Parts of a step in which a function that nothing says the side of is looked for on one.
constexpr int places = 16;

int sign_of(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

/// Whether the cubic through values and rates at both ends of a step stays far enough from zero, on
/// one side, to be believed.
bool stays_away(const EventValues& begin, const EventValues& end, int side, double h) {
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
      trial_values_(functions_.size()),
      come_to_(functions_.size()) {
  if (stepper.program().method().tolerance() > 0.0) divide_.emplace(stepper);
}

void EventZeros::evaluate(const Point& point, std::vector<EventValues>& values) {
  std::span<const double> q = point.q;
  if (functions_.counts_turns()) {
    unwrap_positions(point, q_);
    q = q_;
  }
  std::ranges::copy(functions_.values(point.t, q, point.v), values.begin());
}

Nearness EventZeros::nearness(const EventValues& at) const {
  const double h = stepper_.step_size(), value = std::fabs(at.value),
               change = std::fabs(h * at.rate);
  const bool changes = change > stays_within * (at.size + h * at.rate_size);
  if (value <= stays_within * at.size && !changes) return Nearness::stays;
  return value <= zero_within * (at.size + change) ? Nearness::passes : Nearness::away;
}

std::optional<int> EventZeros::side_of_body(std::size_t event) const {
  const Event& of = functions_.event(event);
  if (of.impact == nullptr || of.direction == Direction::both) return std::nullopt;
  return of.direction == Direction::falling ? 1 : -1;
}

int EventZeros::side_after(std::size_t event, const Point& point, const EventValues& at) {
  if (const auto body = side_of_body(event)) {
    const double beyond = -*body * at.value;
    return beyond > touching_within(stepper_.step_size() * at.rate) ? -*body : *body;
  }
  const Nearness near = nearness(at);
  if (near == Nearness::away) return sign_of(at.value);
  if (near == Nearness::passes && !functions_.may_jump(event)) return sign_of(at.rate);
  return side_to_come(event, point);
}

/// From a state at which the function is zero and its rate says nothing: where it is some way into
/// the next step, or at the end of that.
int EventZeros::side_to_come(std::size_t event, const Point& point) {
  constexpr double some_way = 0.125;
  const double h = stepper_.step_size();
  ahead_ = point;
  if (take_steps(ahead_, point.t, 0, 1).status != StepStatus::ok) return 0;
  const Span next{&point, &ahead_, point.t, point.t + h, nullptr, nullptr};
  for (const double fraction : {some_way, 1.0}) {
    if (!go_to(next, fraction, trial_)) {
      has_failed_ = false;  // nothing is said of the step that leads here
      return 0;
    }
    evaluate(trial_, come_to_);
    const EventValues& at = come_to_[event];
    const Nearness near = nearness(at);
    if (near != Nearness::stays) return sign_of(near == Nearness::away ? at.value : at.rate);
  }
  return 0;
}

bool EventZeros::is_near(const EventValues& at) const {
  const double reach = 2.0 * stepper_.step_size() * at.rate, still = stays_within * at.size;
  return !(at.value * at.value >= reach * reach + still * still);
}

bool EventZeros::is_pushed_back(std::size_t event, const Point& point) {
  constexpr double small = 1e-6;
  const auto at = [&](const Point& state) {
    evaluate(state, trial_values_);
    return trial_values_[event];
  };
  const EventValues here = at(point);
  // Where the rate jumps, the function depends on velocities: along its gradient by these.
  std::vector<double> slope;
  double square = 0.0;
  for (std::size_t i = 0; i < point.v.size(); ++i) {
    trial_ = point;
    const double change = small * (1.0 + std::fabs(point.v[i]));
    trial_.v[i] += change;
    slope.push_back((at(trial_).value - here.value) / change);
    square += slope.back() * slope.back();
  }
  if (!(square > 0.0)) return false;
  const auto rate_at = [&](double value) {
    trial_ = point;
    for (std::size_t i = 0; i < slope.size(); ++i)
      trial_.v[i] += slope[i] * (value - here.value) / square;
    return at(trial_).rate;
  };
  const double aside = small * (here.size + std::fabs(stepper_.step_size() * here.rate));
  return rate_at(aside) < 0.0 && rate_at(-aside) > 0.0;
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

double EventZeros::farthest_step(Point& point, double end) {
  constexpr int most_passes = 60;
  const double begin = point.t;
  double far = 0.0, too_far = 1.0;
  ahead_ = point;
  for (int pass = 0; pass < most_passes && too_far - far > round_off_of_one; ++pass) {
    const double fraction = 0.5 * (far + too_far);
    trial_ = ahead_;
    if (step_from(trial_, begin + fraction * (end - begin)).status == StepStatus::ok) {
      far = fraction;
      point = trial_;
    } else {
      too_far = fraction;
    }
  }
  return point.t;
}

/// Where a function comes to zero, by steps from its side, as far as these go; nothing if it turns
/// back or they end before. Nearly those of Newton: beyond the end of a motion steps lead anywhere.
std::optional<EventZeros::Arrival> EventZeros::zero_ahead(const Point& begin, double end,
                                                          std::size_t event, int side,
                                                          EventValues at) {
  constexpr int most_passes = 60;
  constexpr double nearly_all = 0.99;
  double t = begin.t;
  for (int pass = 0; pass < most_passes && side * at.rate < 0.0; ++pass) {
    double next = t - nearly_all * at.value / at.rate;
    if (!(next > t)) return Arrival{t, at.rate};
    if (!(next < end)) next = 0.5 * (t + end);
    for (int halved = 0;; ++halved) {
      if (!(next > t) || halved == most_passes) return std::nullopt;
      trial_ = begin;
      if (step_from(trial_, next).status == StepStatus::ok) break;
      next = 0.5 * (t + next);
    }
    t = next;
    evaluate(trial_, trial_values_);
    const EventValues before = std::exchange(at, trial_values_[event]);
    if (nearness(at) != Nearness::away || sign_of(at.value) != side) return Arrival{t, before.rate};
  }
  return std::nullopt;
}

double EventZeros::step_as_far(Point& point, double end, std::span<const EventValues> now,
                               std::span<const int> sides) {
  if (interpolates_) return point.t;
  std::optional<double> first, last;  // of those that change something, and of all
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Event& event = functions_.event(i);
    if (sides[i] == 0 || !wants(i, sides[i] < 0)) continue;
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

void EventZeros::add(const EventZero& zero) {
  if (wants(zero.event, zero.rising)) found_.push_back(zero);
}

/// From a side to the other one.
void EventZeros::find_between(const Span& span, std::size_t event, int side, const Place& low,
                              const Place& high) {
  if (!wants(event, side < 0)) return;
  const auto found =
      locate(span, event, Part::value, low.fraction, high.fraction, low.at.value, high.at.value);
  if (found) add({*found, event, side < 0});
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

/// Where the rate is zero between a place and the end.
std::optional<EventZeros::Place> EventZeros::turn_after(const Span& span, std::size_t event,
                                                        const Place& low) {
  const auto turn =
      locate(span, event, Part::rate, low.fraction, 1.0, low.at.rate, (*span.at_end)[event].rate);
  if (!turn) return std::nullopt;
  return Place{*turn, values_at(span, event, *turn)};
}

/// The first of some places between one and the end that is on a side of zero.
std::optional<EventZeros::Place> EventZeros::place_on(const Span& span, std::size_t event, int side,
                                                      double low) {
  for (int i = 1; i < places && !has_failed_; ++i) {
    const double fraction = low + (1.0 - low) * i / places;
    const EventValues at = values_at(span, event, fraction);
    if (sign_of(at.value) == side && nearness(at) == Nearness::away) return Place{fraction, at};
  }
  return std::nullopt;
}

EventZeros::Sides EventZeros::sides_at_end(const Span& span, std::size_t event, int side) {
  const EventValues end = (*span.at_end)[event];
  const Nearness near = nearness(end);
  const int at_value = sign_of(end.value), at_rate = sign_of(end.rate);
  if (near == Nearness::away) return {at_value, at_value};
  if (const auto body = side_of_body(event)) {
    const bool goes_in = near == Nearness::passes && at_rate == -*body;
    return {*body, goes_in ? -*body : *body};
  }
  if (near == Nearness::passes && !functions_.may_jump(event)) return {-at_rate, at_rate};
  return {side, side_to_come(event, *span.end)};
}

/// Where a function that comes to stay zero does: from where it comes near, as it went on there.
double EventZeros::entry_to_zero(const Span& span, std::size_t event) {
  constexpr int most_passes = 52;
  if (nearness((*span.at_end)[event]) != Nearness::stays) return 1.0;
  double before = 0.0, after = 1.0;
  EventValues last = (*span.at_begin)[event];
  for (int pass = 0; pass < most_passes; ++pass) {
    const double middle = 0.5 * (before + after);
    const EventValues at = values_at(span, event, middle);
    if (std::fabs(at.value) <= stays_within * at.size) {
      after = middle;
    } else {
      before = middle;
      last = at;
    }
  }
  const double rest = -last.value / ((span.to - span.from) * last.rate);
  return rest > 0.0 ? numeric::smaller(1.0, before + rest) : after;
}

/// What passes zero at the end does so there; before, it has come from the side that its rate says.
void EventZeros::find_of(const Span& span, std::size_t event, int side) {
  const auto [before, after] = sides_at_end(span, event, side);
  if (before != side) {
    find_crossing(span, event, side);
  } else {
    find_dip(span, event, side);
  }
  if (after == before) return;
  const double fraction = after == 0 ? entry_to_zero(span, event) : 1.0;
  add({fraction, event, before < 0});
}

/// From a side to the other, once.
void EventZeros::find_crossing(const Span& span, std::size_t event, int side) {
  const EventValues begin = (*span.at_begin)[event], end = (*span.at_end)[event];
  const bool leaves = side * begin.rate > 0.0, returns = side * end.rate < 0.0;
  const bool is_away = sign_of(begin.value) == side && nearness(begin) == Nearness::away;
  std::optional<Place> low = Place{0.0, begin}, high = Place{1.0, end};
  const bool is_impact = functions_.event(event).impact != nullptr;
  if (!is_away && !leaves && is_impact) {  // from zero into it
    add({0.0, event, side < 0});
    return;
  }
  // What is pushed back beyond zero may come to it more than once.
  const bool is_pushed_back = is_away && side * end.rate >= 0.0;
  if (is_pushed_back && heads_for_zero(begin, side, span.to - span.from) &&
      find_ahead(span, event, side, false))
    return;
  if (leaves && returns) {
    const auto turn = turn_after(span, event, *low);
    if (turn && (is_away || sign_of(turn->at.value) == side)) low = turn;
    if (!is_away && turn && !(side * turn->at.value > stays_within * turn->at.size)) {
      add({turn->fraction, event, side < 0, true});
      return;
    }
  }
  if (!is_away && low->fraction == 0.0) low = place_on(span, event, side, 0.0);
  const bool ends_there = sign_of(end.value) == -side && nearness(end) == Nearness::away;
  if (low && !ends_there) high = place_on(span, event, -side, low->fraction);
  if (low && high) {
    find_between(span, event, side, *low, *high);
  } else if (!low && is_impact) {  // nowhere off it, and through it in the end
    add({0.0, event, side < 0, true});
  }
}

/// To the other side and back, where it has come near zero.
void EventZeros::find_dip(const Span& span, std::size_t event, int side) {
  const EventValues begin = (*span.at_begin)[event], end = (*span.at_end)[event];
  const double h = span.to - span.from;
  if (!(side * begin.rate < 0.0) || nearness(begin) == Nearness::stays) return;
  if (sign_of(begin.value) != side) {  // an impact into which a motion goes at once
    add({0.0, event, side < 0});
    return;
  }
  const bool turns = side * end.rate > 0.0 && is_near(end);
  if (!turns || stays_away(begin, end, side, h)) {
    static_cast<void>(heads_for_zero(begin, side, h) && find_ahead(span, event, side, true));
    return;
  }
  const Place low{0.0, begin}, high{1.0, end};
  const auto turn = turn_after(span, event, low);
  if (!turn) return;
  // Zeros nearer to each other than a millionth of the step are a touch.
  const double touch = 1e-13 * h * std::fabs(end.rate - begin.rate);
  if (!(-side * turn->at.value > numeric::larger(touch, zero_within * turn->at.size))) return;
  find_between(span, event, side, low, *turn);
  find_between(span, event, -side, *turn, high);
}

/// The zero for which the motion heads as the step begins, whatever the end says: a step across the
/// end of a motion, as of one that friction stops, leads somewhere. With the one after it where the
/// function `returns`.
bool EventZeros::find_ahead(const Span& span, std::size_t event, int side, bool returns) {
  constexpr double no_touch = 1e-3;
  if (interpolates_) return false;
  const EventValues begin = (*span.at_begin)[event], end = (*span.at_end)[event];
  Point from = *span.begin;
  from.t = span.from;
  const auto zero = zero_ahead(from, span.to, event, side, begin);
  if (!zero || !(std::fabs(zero->rate) > no_touch * std::fabs(begin.rate))) return false;
  const double h = span.to - span.from, way = std::fabs(h * begin.rate);
  const Place low{0.0, begin};
  Place at{(zero->t - span.from) / h, {}};
  at.at = values_at(span, event, at.fraction);
  const double around = zero_within * (at.at.size + way);
  Place beyond = at;
  if (sign_of(at.at.value) != -side || nearness(at.at) != Nearness::away) {
    beyond.fraction = numeric::smaller(1.0, at.fraction + 4.0 * around / way);
    beyond.at = values_at(span, event, beyond.fraction);
    has_failed_ = false;  // there may be nothing beyond
  }
  const bool passes = sign_of(beyond.at.value) == -side;
  if (passes) {
    find_between(span, event, side, low, beyond);
  } else if (functions_.has_pieces(event)) {
    return false;  // |x| turns back at zero
  } else {
    add({at.fraction, event, side < 0});
  }
  if (returns && passes) find_between(span, event, -side, beyond, {1.0, end});
  return true;
}

}  // namespace dalembert
