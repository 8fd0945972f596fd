#include "dalembert/run/event/event_zeros.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

/// Parts of a step in which a function that nothing says the side of is looked for on one.
constexpr int places = 16;

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

std::optional<int> EventZeros::side_of_body(std::size_t event) const {
  const Event& of = flow_.functions().event(event);
  if (of.impact == nullptr || of.direction == Direction::both) return std::nullopt;
  return of.direction == Direction::falling ? 1 : -1;
}

int EventZeros::side_after(std::size_t event, const Point& point, const EventValues& at) {
  if (const auto body = side_of_body(event)) {
    const double beyond = -*body * at.value;
    return beyond > touching_within(flow_.step_size() * at.rate) ? -*body : *body;
  }
  const Nearness near = flow_.nearness(at);
  if (near == Nearness::away) return side_of(at.value);
  if (near == Nearness::passes && !flow_.functions().may_jump(event)) return side_of(at.rate);
  return side_to_come(event, point);
}

/// From a state at which the function is zero and its rate says nothing: where it is some way into
/// the next step, or at the end of that.
int EventZeros::side_to_come(std::size_t event, const Point& point) {
  constexpr double some_way = 0.125;
  const double h = flow_.step_size();
  ahead_ = point;
  if (flow_.take_steps(ahead_, point.t, 0, 1).status != StepStatus::ok) return 0;
  const Span next{&point, &ahead_, point.t, point.t + h, nullptr, nullptr};
  for (const double fraction : {some_way, 1.0}) {
    if (!flow_.go_to(next, fraction, trial_)) {
      flow_.forget_failure();  // nothing is said of the step that leads here
      return 0;
    }
    const EventValues at = flow_.values_of(event, trial_);
    const Nearness near = flow_.nearness(at);
    if (near != Nearness::stays) return side_of(near == Nearness::away ? at.value : at.rate);
  }
  return 0;
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
    if (!(std::fabs(next - b) > std::numeric_limits<double>::epsilon())) break;
    value = part_of(flow_.values_at(span, event, next), part);
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
  if (flow_.functions().wants(zero.event, zero.rising)) found_.push_back(zero);
}

/// From a side to the other one.
void EventZeros::find_between(const Span& span, std::size_t event, int side, const Place& low,
                              const Place& high) {
  if (!flow_.functions().wants(event, side < 0)) return;
  const auto found =
      locate(span, event, Part::value, low.fraction, high.fraction, low.at.value, high.at.value);
  if (found) add({*found, event, side < 0});
}

bool EventZeros::find(const Span& span, std::span<const int> sides) {
  found_.clear();
  flow_.forget_failure();
  for (std::size_t i = 0; i < sides.size() && !flow_.has_failed(); ++i)
    if (sides[i] != 0) find_of(span, i, sides[i]);
  std::ranges::sort(found_, [](const EventZero& a, const EventZero& b) {
    return a.fraction != b.fraction ? a.fraction < b.fraction : a.event < b.event;
  });
  return !flow_.has_failed();
}

/// Place at which the rate is zero, between one and the end.
std::optional<EventZeros::Place> EventZeros::turn_after(const Span& span, std::size_t event,
                                                        const Place& low) {
  const auto turn =
      locate(span, event, Part::rate, low.fraction, 1.0, low.at.rate, (*span.at_end)[event].rate);
  if (!turn) return std::nullopt;
  return Place{*turn, flow_.values_at(span, event, *turn)};
}

/// The first of some places between one and the end that is on a side of zero.
std::optional<EventZeros::Place> EventZeros::place_on(const Span& span, std::size_t event, int side,
                                                      double low) {
  for (int i = 1; i < places && !flow_.has_failed(); ++i) {
    const double fraction = low + (1.0 - low) * i / places;
    const EventValues at = flow_.values_at(span, event, fraction);
    if (side_of(at.value) == side && flow_.nearness(at) == Nearness::away)
      return Place{fraction, at};
  }
  return std::nullopt;
}

EventZeros::Sides EventZeros::sides_at_end(const Span& span, std::size_t event, int side) {
  const EventValues end = (*span.at_end)[event];
  const Nearness near = flow_.nearness(end);
  const int at_value = side_of(end.value), at_rate = side_of(end.rate);
  if (near == Nearness::away) return {at_value, at_value};
  if (const auto body = side_of_body(event)) {
    const bool goes_in = near == Nearness::passes && at_rate == -*body;
    return {*body, goes_in ? -*body : *body};
  }
  if (near == Nearness::passes && !flow_.functions().may_jump(event)) return {-at_rate, at_rate};
  return {side, side_to_come(event, *span.end)};
}

/// Fraction at which a function that comes to stay zero does so, as it went on from near zero.
double EventZeros::entry_to_zero(const Span& span, std::size_t event) {
  constexpr int most_passes = 52;
  if (flow_.nearness((*span.at_end)[event]) != Nearness::stays) return 1.0;
  double before = 0.0, after = 1.0;
  EventValues last = (*span.at_begin)[event];
  for (int pass = 0; pass < most_passes; ++pass) {
    const double middle = 0.5 * (before + after);
    const EventValues at = flow_.values_at(span, event, middle);
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

/// A function that is zero at the end passes it there; before, it has come from the side that its
/// rate says.
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
  const bool is_away = side_of(begin.value) == side && flow_.nearness(begin) == Nearness::away;
  std::optional<Place> low = Place{0.0, begin}, high = Place{1.0, end};
  const bool is_impact = flow_.functions().event(event).impact != nullptr;
  if (!is_away && !leaves && is_impact) {  // from zero into it
    add({0.0, event, side < 0});
    return;
  }
  // What is pushed back beyond zero may come to it more than once.
  const bool is_pushed_back = is_away && side * end.rate >= 0.0;
  if (is_pushed_back && EventFlow::heads_for_zero(begin, side, span.to - span.from) &&
      find_ahead(span, event, side, false))
    return;
  if (leaves && returns) {
    const auto turn = turn_after(span, event, *low);
    if (turn && (is_away || side_of(turn->at.value) == side)) low = turn;
    if (!is_away && turn && !(side * turn->at.value > stays_within * turn->at.size)) {
      add({turn->fraction, event, side < 0, true});
      return;
    }
  }
  if (!is_away && low->fraction == 0.0) low = place_on(span, event, side, 0.0);
  const bool ends_there = side_of(end.value) == -side && flow_.nearness(end) == Nearness::away;
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
  if (!(side * begin.rate < 0.0) || flow_.nearness(begin) == Nearness::stays) return;
  if (side_of(begin.value) != side) {  // an impact into which a motion goes at once
    add({0.0, event, side < 0});
    return;
  }
  const bool turns = side * end.rate > 0.0 && flow_.is_near(end);
  if (!turns || stays_away(begin, end, side, h)) {
    static_cast<void>(EventFlow::heads_for_zero(begin, side, h) &&
                      find_ahead(span, event, side, true));
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
  if (flow_.interpolates()) return false;
  const EventValues begin = (*span.at_begin)[event], end = (*span.at_end)[event];
  Point from = *span.begin;
  from.t = span.from;
  const auto zero = flow_.zero_ahead(from, span.to, event, side, begin);
  if (!zero || !(std::fabs(zero->rate) > no_touch * std::fabs(begin.rate))) return false;
  const double h = span.to - span.from, way = std::fabs(h * begin.rate);
  const Place low{0.0, begin};
  Place at{(zero->t - span.from) / h, {}};
  at.at = flow_.values_at(span, event, at.fraction);
  const double around = zero_within * (at.at.size + way);
  Place beyond = at;
  if (side_of(at.at.value) != -side || flow_.nearness(at.at) != Nearness::away) {
    beyond.fraction = numeric::smaller(1.0, at.fraction + 4.0 * around / way);
    beyond.at = flow_.values_at(span, event, beyond.fraction);
    flow_.forget_failure();  // there may be nothing beyond
  }
  const bool passes = side_of(beyond.at.value) == -side;
  if (passes) {
    find_between(span, event, side, low, beyond);
  } else if (flow_.functions().has_pieces(event)) {
    return false;  // |x| turns back at zero
  } else {
    add({at.fraction, event, side < 0});
  }
  if (returns && passes) find_between(span, event, -side, beyond, {1.0, end});
  return true;
}

}  // namespace dalembert
