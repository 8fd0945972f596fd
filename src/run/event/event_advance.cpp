#include "dalembert/run/event/event_advance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

constexpr double round_off = std::numeric_limits<double>::epsilon();
/// Steps after which the states are looked at though nothing has been noticed; as many are repeated
/// where something has.
constexpr std::uint64_t most_unseen = 256;
/// Of a step: events nearer to each other take place at one time, and what is found again is what
/// had been found.
constexpr double same_time = 1e-12, found_again = 1e-9;
/// Of the velocity into an impact: what leaves more slowly does not leave.
constexpr double no_departure = 1e-10;

constexpr Stepper::Range anything{std::numeric_limits<double>::lowest(),
                                  std::numeric_limits<double>::max()};

constexpr Stepper::Range nothing{std::numeric_limits<double>::max(),
                                 std::numeric_limits<double>::lowest()};

Stepper::Range half(bool positive) {
  return positive ? Stepper::Range{0.0, anything.highest} : Stepper::Range{anything.lowest, 0.0};
}

int sign(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

void unwrap_into(const Point& point, std::vector<double>& q) {
  q.resize(point.q.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = numeric::unwrapped(point.q[i], point.turns[i]);
}

/// The side from which an event comes, for a function that stays zero.
int side_before(Direction direction) { return direction == Direction::rising ? -1 : 1; }

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

EventAdvance::EventAdvance(Stepper& stepper, EventFunctions events,
                           std::span<const double> parameters, std::vector<EventHistory> history)
    : stepper_(stepper),
      events_(std::move(events)),
      evaluator_(stepper.program().system(), parameters),
      interpolates_(stepper.program().carried_count() > 0),
      history_(std::move(history)),
      sides_(events_.size(), 0) {
  const StepProgram& program = stepper.program();
  if (const auto misfit = event_misfit(program.method(), program.system(), events_.events()))
    throw RequestError(*misfit);
  if (program.method().tolerance() > 0.0) divide_.emplace(stepper);
  const std::size_t watched = program.watched().size();
  watches_ = program.options().also_watched != nullptr && watched >= 2 * events_.size() &&
             !divide_ && !events_.counts_turns();
  if (watches_) first_watched_ = watched - 2 * events_.size();
  history_.resize(events_.size());
  now_.resize(events_.size());
  next_ = trial_values_ = now_;
  in_this_step_.resize(events_.size());
  bounds_.resize(2 * events_.size());
}

void EventAdvance::forget() {
  std::ranges::fill(history_, EventHistory{});
  ended_by_.reset();
  refusal_.clear();
}

void EventAdvance::evaluate(const Point& point, std::vector<EventValues>& values) {
  std::span<const double> q = point.q;
  if (events_.counts_turns()) {
    unwrap_into(point, q_);
    q = q_;
  }
  const std::span<const double> found = events_.values(point.t, q, point.v);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {found[2 * i], found[2 * i + 1]};
}

/// The side of zero on which a motion goes on from a node: a function of the state there alone.
int EventAdvance::side_of(const EventValues& at) const {
  return is_zero(at) ? sign(at.rate) : sign(at.value);
}

/// By the round-off of a time within a step.
bool EventAdvance::is_zero(const EventValues& at) const {
  return std::fabs(at.value) <= 64.0 * round_off * std::fabs(stepper_.step_size() * at.rate);
}

/// On which side it is at all nodes; 0 where what it comes to decides.
void EventAdvance::find_sides() {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    sides_[i] = side_of(now_[i]);
    if (sides_[i] == 0 && events_.event(i).impact != nullptr)
      sides_[i] = side_before(events_.event(i).direction);
  }
}

void EventAdvance::begin(const Point& point) {
  evaluate(point, now_);
  find_sides();
  if (point.t != 0.0) return;
  // A run may begin with an impact.
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const auto [value, rate] = now_[i];
    const bool meets = events_.event(i).impact != nullptr && history_[i].count == 0 &&
                       is_zero(now_[i]) && wants(i, rate > 0.0);
    if (meets && rate != 0.0) sides_[i] = -sign(rate);
  }
}

void EventAdvance::find_bounds() {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    bounds_[2 * i] = sides_[i] == 0 ? nothing : half(sides_[i] > 0);
    bounds_[2 * i + 1] = half(true);
  }
}

std::span<const Stepper::Range> EventAdvance::bounds_from(const Point& point) {
  begin(point);
  find_bounds();
  return bounds_;
}

void EventAdvance::set_bounds() {
  find_bounds();
  for (std::size_t i = 0; i < bounds_.size(); ++i)
    stepper_.set_bounds(first_watched_ + i, bounds_[i]);
}

bool EventAdvance::may_have_happened(const Point& before, const Point& after, bool is_one_step) {
  begin(before);
  evaluate(after, next_);
  return may_have_happened(is_one_step);
}

/// Whether states need no look where the stepper notices nothing.
bool EventAdvance::is_watched() const {
  return watches_ && stepper_.is_watching() &&
         std::ranges::none_of(sides_, [](int side) { return side == 0; });
}

StepReport EventAdvance::take_steps(Point& point, double start, std::uint64_t first,
                                    std::uint64_t steps) {
  return divide_ ? (*divide_)(point, start, first, steps)
                 : stepper_.advance(point, start, first, steps);
}

/// One step of another size; the stepper keeps its own.
StepReport EventAdvance::step_from(Point& point, double end) {
  const double h = stepper_.step_size();
  stepper_.set_step(end - point.t);
  const StepReport report = divide_ ? (*divide_)(point, point.t, 0, 1) : stepper_.step(point);
  stepper_.set_step(h);
  if (report.status == StepStatus::ok) point.t = end;
  return report;
}

/// Whether a step of the size h may come to zero near a node.
bool EventAdvance::is_near(const EventValues& at) const {
  const double reach = 2.0 * stepper_.step_size() * at.rate;
  return !(at.value * at.value >= reach * reach);
}

/// Whether something may have happened on the way to next_: a function is on the other side, or has
/// turned back near zero. Where its rate grows from one sign to the other all along a step, the
/// function has gone no farther than h times the rate at the end. `from_now`: whether that is one
/// step from now_; else the rate before it is not known.
bool EventAdvance::may_have_happened(bool from_now) const {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const int side = sides_[i];
    if (side == 0) continue;
    if (side_of(next_[i]) != side) return true;
    const bool turned = side * next_[i].rate > 0.0 && !(from_now && side * now_[i].rate >= 0.0);
    if (turned && is_near(next_[i])) return true;
  }
  return false;
}

StepReport EventAdvance::operator()(Point& point, double start, std::uint64_t first,
                                    std::uint64_t steps) {
  StepReport all;
  begin(point);
  for (bool proceed = true; proceed && all.steps < steps;) {
    const std::uint64_t done = first + all.steps,
                        asked = is_watched() ? std::min(steps - all.steps, most_unseen) : 1;
    chunk_ = point;
    if (is_watched()) set_bounds();
    StepReport part = take_steps(point, start, done, asked);
    const bool is_whole = part.steps == asked;
    // Else it is what somebody else watches that is out of bounds.
    const bool is_noticed = part.steps > 0 && look_back(point, start, done, part);
    all.steps += part.steps;
    all.iterations += part.iterations;
    all.status = part.status;
    all.residual = part.residual;
    proceed = part.status == StepStatus::ok && (is_whole || is_noticed) && !ended_by_;
  }
  return all;
}

/// Whether all functions are on the sides on which they were.
bool EventAdvance::keep_sides(const std::vector<EventValues>& values) const {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (side_of(values[i]) != sides_[i]) return false;
  return true;
}

/// What has happened in the last of some steps that have led from chunk_ to `point`. Whether it is
/// out of the bounds of `set_bounds`.
bool EventAdvance::look_back(Point& point, double start, std::uint64_t first, StepReport& part) {
  evaluate(point, next_);
  bool is_noticed = false;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    is_noticed = is_noticed || sign(next_[i].value) != sides_[i] || is_near(next_[i]);
  if (may_have_happened(part.steps == 1)) {
    before_ = chunk_;
    while (part.steps > 1) {
      before_ = chunk_;
      static_cast<void>(take_steps(before_, start, first, part.steps - 1));
      evaluate(before_, now_);
      if (keep_sides(now_)) break;
      // It has happened at this very node, which is within round-off of zero.
      point = before_;
      std::swap(now_, next_);
      --part.steps;
      part.status = StepStatus::ok;
      is_noticed = true;
    }
    if (part.steps == 1) {
      before_ = chunk_;
      evaluate(before_, now_);
    }
    if (may_have_happened(true)) take_back(point, start, first + part.steps, part);
  }
  std::swap(now_, next_);
  find_sides();
  return is_noticed;
}

/// The step before a node once more, from before_, with its events.
void EventAdvance::take_back(Point& point, double start, std::uint64_t node, StepReport& part) {
  const double h = stepper_.step_size();
  StepReport crossed;
  const bool is_done = cross(before_, point, start + static_cast<double>(node - 1) * h,
                             start + static_cast<double>(node) * h, crossed);
  part.iterations += crossed.iterations;
  if (!is_done) {
    part.status = crossed.status;
    part.residual = crossed.residual;
  }
  if (!is_done || ended_by_) --part.steps;
}

StepReport EventAdvance::advance_to(Point& point, double end) {
  begin(point);
  before_ = point;
  const double from = point.t;
  StepReport report = step_from(point, end);
  if (report.status != StepStatus::ok) return report;
  evaluate(point, next_);
  StepReport crossed;
  if (may_have_happened(true) && !cross(before_, point, from, end, crossed)) {
    report.status = crossed.status;
    report.residual = crossed.residual;
    report.steps = 0;
  }
  report.iterations += crossed.iterations;
  std::swap(now_, next_);
  return report;
}

bool EventAdvance::wants(std::size_t event, bool rising) const {
  const Direction direction = events_.event(event).direction;
  return direction == Direction::both || (direction == Direction::rising) == rising;
}

bool EventAdvance::go_to(const Span& span, double fraction, Point& point) {
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
  unwrap_into(*span.begin, q_begin_);
  interpolation_.begin_at(point, q_begin_, {});
  unwrap_into(*span.end, q_end_);
  const Sample after{0, span.to, q_end_, span.end->v, {}, span.end};
  interpolation_.show_at(t, after, [&](const Sample& sample) {
    point = *sample.point;
    return true;
  });
  return true;
}

EventValues EventAdvance::values_at(const Span& span, std::size_t event, double fraction) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!go_to(span, fraction, trial_)) return {nan, nan};
  evaluate(trial_, trial_values_);
  return trial_values_[event];
}

/// Where the function or its rate, of different signs at both ends, is zero: the Illinois form of
/// false position. Nothing where it jumps.
std::optional<double> EventAdvance::locate(const Span& span, std::size_t event, Part part,
                                           double low, double high, double at_low, double at_high) {
  constexpr int most_passes = 200;
  const double scale = std::fabs(at_low) + std::fabs(at_high);
  double a = low, at_a = at_low, b = high, at_b = at_high;
  if (at_b == 0.0) return b;
  double value = at_b;
  for (int pass = 0; pass < most_passes && value != 0.0; ++pass) {
    const double next = b - at_b * (b - a) / (at_b - at_a);
    if (!(std::fabs(next - b) > round_off)) break;
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

void EventAdvance::find_zero(const Span& span, std::size_t event, double low, double high,
                             EventValues at_low, EventValues at_high) {
  const bool rising = at_high.value > 0.0 || (at_high.value == 0.0 && at_high.rate > 0.0);
  if (!wants(event, rising)) return;
  const auto found = locate(span, event, Part::value, low, high, at_low.value, at_high.value);
  if (found) zeros_.push_back({*found, event, rising});
}

void EventAdvance::find_zeros(const Span& span) {
  zeros_.clear();
  for (std::size_t i = 0; i < history_.size() && !has_failed_; ++i) {
    const EventValues begin = (*span.at_begin)[i], end = (*span.at_end)[i];
    const int side = sides_[i];
    if (side == 0) continue;
    const bool crosses = side_of(end) != side;
    const bool leaves = side * begin.rate > 0.0, returns = side * end.rate < 0.0;
    // Between them the function turns back.
    const bool turns = crosses ? leaves && returns : !leaves && side * end.rate > 0.0;
    if (!crosses && !(turns && side * begin.rate < 0.0)) continue;
    if (!turns) {
      // From zero, and not away from it: at once. Not quite at zero: at the end.
      if (sign(begin.value) == side && sign(end.value) != side) {
        find_zero(span, i, 0.0, 1.0, begin, end);
      } else if (wants(i, side < 0)) {
        zeros_.push_back({sign(begin.value) != side ? 0.0 : 1.0, i, side < 0});
      }
      continue;
    }
    if (!crosses && (!is_near(end) || stays_away(begin, end, side, span.to - span.from))) continue;
    const auto turn = locate(span, i, Part::rate, 0.0, 1.0, begin.rate, end.rate);
    if (!turn) continue;
    const EventValues middle = values_at(span, i, *turn);
    if (crosses) {
      if (sign(middle.value) == side) find_zero(span, i, *turn, 1.0, middle, end);
      continue;
    }
    // Zeros nearer to each other than a millionth of the step are a touch.
    const double touch = 1e-13 * (span.to - span.from) * std::fabs(end.rate - begin.rate);
    if (!(-side * middle.value > touch)) continue;
    find_zero(span, i, 0.0, *turn, begin, middle);
    find_zero(span, i, *turn, 1.0, middle, end);
  }
  std::ranges::sort(zeros_, [](const Zero& a, const Zero& b) {
    return a.fraction != b.fraction ? a.fraction < b.fraction : a.event < b.event;
  });
}

void EventAdvance::note(const Zero& zero, const Point& before, const Point& after) {
  EventHistory& history = history_[zero.event];
  // A run that goes on from the node before its end finds again what lies between.
  const bool is_new =
      !history.last || before.t > *history.last + found_again * stepper_.step_size();
  if (!is_new) return;
  ++history.count;
  history.last = before.t;
  EventOccurrence occurrence{zero.event, before.t, zero.rising, {}, before.v, {}, after.v};
  unwrap_into(before, occurrence.q);
  unwrap_into(after, occurrence.q_after);
  occurrences_.push_back(std::move(occurrence));
}

bool EventAdvance::refuse(std::size_t event, double t, const std::string& why) {
  refusal_ = "event \"" + events_.event(event).name + "\" at t = " + to_string(t) + ": " + why;
  has_failed_ = true;
  failure_ = {};
  failure_.status = StepStatus::event_refused;
  return false;
}

/// What an event that acts makes of a state.
bool EventAdvance::act(std::size_t index, Point& point) {
  const Event& event = events_.event(index);
  if (++in_this_step_[index] > most_in_a_step)
    return refuse(index, point.t,
                  "it happens more than " + std::to_string(most_in_a_step) +
                      " times in a step, as where a body comes to rest; end the run there with "
                      "rest, a least velocity, or with terminal");
  q_ = point.q;
  v_ = point.v;
  if (const auto reason = events_.act(index, point.t, q_, v_))
    return refuse(index, point.t, *reason);
  if (event.impact != nullptr) {
    point.v = v_;
    std::ranges::fill(point.v_carry, 0.0);
    if (!point.lambda.empty()) evaluator_.multiplier(point.t, point.q, point.v, point.lambda);
    return true;
  }
  try {
    if (event.project) std::tie(q_, v_) = evaluator_.consistent_state(point.t, q_, v_);
    Point changed = start_point(stepper_, evaluator_, q_, v_, point.t);
    for (std::size_t i = 0; i < q_.size(); ++i)
      if (q_[i] == point.q[i]) changed.turns[i] += point.turns[i];
    point = std::move(changed);
  } catch (const RequestError& error) {
    return refuse(index, point.t, std::string("the state after it cannot be: ") + error.what());
  }
  return true;
}

bool EventAdvance::happen(const Zero& zero, Point& point, double rate_before) {
  const Event& event = events_.event(zero.event);
  trial_ = point;
  double rate = 0.0;
  if (event.acts()) {
    if (!act(zero.event, point)) return false;
    evaluate(point, next_);
    rate = next_[zero.event].rate;
  }
  note(zero, trial_, point);
  const bool rests = event.impact != nullptr && std::fabs(rate) < event.rest;
  if (rests || (event.stop_after > 0 && history_[zero.event].count >= event.stop_after)) {
    ended_by_ = zero.event;
    return false;
  }
  const bool stays =
      zero.rising == (rate > 0.0) || std::fabs(rate) <= no_departure * std::fabs(rate_before);
  if (event.impact == nullptr || !stays) return true;
  return refuse(
      zero.event, point.t,
      "the motion comes to rest on it, and what stays in contact is a constraint; end the run "
      "there with rest, a least velocity, or with terminal, or give a restitution > 0");
}

/// All events at the time of the first of them, which acts, on the state between_.
bool EventAdvance::happen_together(std::span<const Zero> zeros) {
  for (const Zero& zero : zeros) {
    evaluate(between_, next_);
    const double rate = next_[zero.event].rate;
    // An earlier one at the same time may have turned the motion round.
    const bool is_over = &zero != zeros.data() && zero.rising != (rate > 0.0);
    if (!is_over && !happen(zero, between_, rate)) return false;
  }
  return true;
}

/// The sides on which the motion goes on from between_, where those of `zeros` have happened.
void EventAdvance::leave(std::span<const Zero> zeros, const std::vector<EventValues>& scale) {
  evaluate(between_, now_);
  for (std::size_t i = 0; i < history_.size(); ++i) {
    const auto [value, rate] = now_[i];
    const bool has_happened =
        std::ranges::any_of(zeros, [i](const Zero& zero) { return zero.event == i; });
    const bool touches = has_happened && std::fabs(value) <= found_again * scale[i].value;
    const int side = touches ? sign(rate) : sign(value);
    if (side != 0) sides_[i] = side;
  }
}

bool EventAdvance::cross(const Point& node, Point& after, double from, double to,
                         StepReport& report) {
  const double begin_time = from;
  const auto fail = [&] {
    after = node;
    after.t = begin_time;
    report = failure_;
    return false;
  };
  std::ranges::fill(in_this_step_, 0);
  has_failed_ = false;
  begin_ = node;
  for (;;) {
    find_zeros({&begin_, &after, from, to, &now_, &next_});
    if (has_failed_) return fail();
    const Span span{&begin_, &after, from, to, &now_, &next_};
    auto zero = zeros_.begin();
    for (; zero != zeros_.end() && !events_.event(zero->event).acts(); ++zero) {
      if (!go_to(span, zero->fraction, between_)) return fail();
      if (happen(*zero, between_, 0.0)) continue;
      after = between_;
      return true;
    }
    if (zero == zeros_.end()) return true;
    if (!go_to(span, zero->fraction, between_)) return fail();
    const double last = zero->fraction + same_time;
    const auto beyond =
        std::find_if(zero, zeros_.end(), [last](const Zero& z) { return z.fraction > last; });
    scale_ = now_;
    for (std::size_t i = 0; i < scale_.size(); ++i)
      scale_[i].value = std::fabs(now_[i].value) + std::fabs(next_[i].value);
    const bool goes_on = happen_together({zero, beyond});
    if (has_failed_) return fail();
    after = between_;
    if (!goes_on) return true;
    leave({zero, beyond}, scale_);
    from = between_.t;
    if (!(to - from > 16.0 * round_off * numeric::larger(std::fabs(to), to - begin_time))) {
      after.t = to;
      next_ = now_;
      return true;
    }
    begin_ = between_;
    failure_ = step_from(after, to);
    report.iterations += failure_.iterations;
    if (failure_.status != StepStatus::ok) return fail();
    evaluate(after, next_);
  }
}

}  // namespace dalembert
