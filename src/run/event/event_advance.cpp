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
/// Steps from one zero of a sliding mode to the next, which explicit steps cross to and fro.
constexpr double most_between = 4.0;
/// Of the velocity into an impact: what leaves more slowly does not leave.
constexpr double no_departure = 1e-10;

constexpr Stepper::Range anything{std::numeric_limits<double>::lowest(),
                                  std::numeric_limits<double>::max()};

constexpr Stepper::Range nothing{std::numeric_limits<double>::max(),
                                 std::numeric_limits<double>::lowest()};

Stepper::Range half(bool positive) {
  return positive ? Stepper::Range{0.0, anything.highest} : Stepper::Range{anything.lowest, 0.0};
}

}  // namespace

EventAdvance::EventAdvance(Stepper& stepper, EventFunctions events,
                           std::span<const double> parameters, std::vector<EventHistory> history)
    : stepper_(stepper),
      flow_(stepper, std::move(events)),
      zeros_(flow_),
      evaluator_(stepper.program().system(), parameters),
      watches_(can_watch(stepper.program(), flow_.functions())),
      history_(std::move(history)) {
  const StepProgram& program = stepper.program();
  if (const auto misfit = event_misfit(program.method(), program.system(), this->events().events()))
    throw RequestError(*misfit);
  const std::size_t count = this->events().size();
  if (watches_) first_watched_ = program.watched().size() - 2 * count;
  history_.resize(count);
  sides_.resize(count);
  now_.resize(count);
  next_.resize(count);
  at_event_values_.resize(count);
  in_this_step_.resize(count);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  latest_.resize(count, {none, none, none});
  bounds_.resize(2 * count);
}

bool EventAdvance::can_watch(const StepProgram& program, const EventFunctions& events) {
  return program.options().also_watched != nullptr &&
         program.watched().size() >= 2 * events.size() && !events.counts_turns() &&
         program.method().tolerance() == 0.0;
}

void EventAdvance::forget() {
  std::ranges::fill(history_, EventHistory{});
  ended_by_.reset();
  refusal_.clear();
}

void EventAdvance::find_sides(const Point& point) {
  for (std::size_t i = 0; i < sides_.size(); ++i) sides_[i] = zeros_.side_after(i, point, now_[i]);
}

void EventAdvance::begin(const Point& point) {
  flow_.evaluate(point, now_);
  find_sides(point);
  if (point.t != 0.0) return;
  // A run may begin with an impact.
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const double rate = now_[i].rate;
    const bool meets = events().event(i).impact != nullptr && history_[i].count == 0 &&
                       flow_.nearness(now_[i]) != Nearness::away && events().wants(i, rate > 0.0);
    if (meets && rate != 0.0) sides_[i] = -side_of(rate);
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
  flow_.evaluate(after, next_);
  return may_have_happened(is_one_step);
}

/// Whether states need no look where the stepper notices nothing.
bool EventAdvance::is_watched() const {
  if (!watches_ || !stepper_.is_watching()) return false;
  const double h = stepper_.step_size();
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (sides_[i] == 0 || EventFlow::heads_for_zero(now_[i], sides_[i], h)) return false;
  return true;
}

/// True where something may have happened on the way to next_: a function is zero, on the other
/// side, was on its way to zero, or has turned back near zero. Where its rate grows from one sign
/// to the other all along a step, the function has gone no farther than h times the rate at the
/// end. `from_now`: whether that is one step from now_; else the rate before it is not known.
bool EventAdvance::may_have_happened(bool from_now) const {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const int side = sides_[i];
    if (side == 0) continue;
    if (side_of(next_[i].value) != side || flow_.nearness(next_[i]) != Nearness::away) return true;
    if (EventFlow::heads_for_zero(now_[i], side, stepper_.step_size())) return true;
    const bool turned = side * next_[i].rate > 0.0 && !(from_now && side * now_[i].rate >= 0.0);
    if (turned && flow_.is_near(next_[i])) return true;
  }
  return false;
}

StepReport EventAdvance::operator()(Point& point, double start, std::uint64_t first,
                                    std::uint64_t steps) {
  StepReport all;
  refused_ = false;
  begin(point);
  for (bool proceed = true; proceed && all.steps < steps;) {
    const std::uint64_t done = first + all.steps,
                        asked = is_watched() ? std::min(steps - all.steps, most_unseen) : 1;
    chunk_ = point;
    if (is_watched()) set_bounds();
    StepReport part = flow_.take_steps(point, start, done, asked);
    const bool is_whole = part.steps == asked;
    // Else it is what somebody else watches that is out of bounds.
    bool is_noticed = part.steps > 0 && look_back(point, start, done, part);
    if (part.status != StepStatus::ok && !refused_ && !ended_by_) {
      const double h = stepper_.step_size();
      const double node = static_cast<double>(done + part.steps);
      if (pass_refused(point, start + node * h, start + (node + 1.0) * h, part)) {
        is_noticed = true;
        if (!ended_by_) ++part.steps;
      }
    }
    all.steps += part.steps;
    all.iterations += part.iterations;
    all.status = part.status;
    all.residual = part.residual;
    proceed = part.status == StepStatus::ok && (is_whole || is_noticed) && !ended_by_;
  }
  return all;
}

/// What has happened in the last of some steps that have led from chunk_ to `point`. Whether it is
/// out of the bounds of `set_bounds`.
bool EventAdvance::look_back(Point& point, double start, std::uint64_t first, StepReport& part) {
  flow_.evaluate(point, next_);
  bool is_noticed = false;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    is_noticed = is_noticed || side_of(next_[i].value) != sides_[i] || flow_.is_near(next_[i]);
  if (may_have_happened(part.steps == 1)) {
    before_ = chunk_;
    if (part.steps > 1) {
      // A node near zero ends the steps: none before this one was.
      static_cast<void>(flow_.take_steps(before_, start, first, part.steps - 1));
      flow_.evaluate(before_, now_);
    }
    if (may_have_happened(true)) take_back(point, start, first + part.steps, part);
  }
  std::swap(now_, next_);
  find_sides(point);
  return is_noticed;
}

/// The step before a node once more, from before_, with its events.
void EventAdvance::take_back(Point& point, double start, std::uint64_t node, StepReport& part) {
  const double h = stepper_.step_size();
  StepReport crossed;
  const double end = start + static_cast<double>(node) * h;
  const bool is_done =
      cross(before_, point, start + static_cast<double>(node - 1) * h, end, {end}, crossed);
  part.iterations += crossed.iterations;
  if (!is_done) {
    part.status = crossed.status;
    part.residual = crossed.residual;
  }
  if (!is_done || ended_by_) --part.steps;
}

EventAdvance::Reach EventAdvance::step_on(Point& point, double to) {
  const StepReport report = flow_.step_from(point, to);
  if (report.status == StepStatus::ok) return {to, report};
  return {flow_.step_as_far(point, to, now_, sides_), report};
}

/// A step from a node that was refused: with an event before the end that changes the state, or
/// ends the run, it may be none. False if it is refused for good, at the node.
bool EventAdvance::pass_refused(Point& point, double from, double to, StepReport& report) {
  before_ = point;
  before_.t = from;
  point = before_;
  flow_.evaluate(before_, now_);
  find_sides(before_);
  const double end = flow_.step_as_far(point, to, now_, sides_);
  if (!(end > from)) return false;
  flow_.evaluate(point, next_);
  StepReport crossed;
  const bool is_done = cross(before_, point, from, to, {end, report}, crossed);
  report.iterations += crossed.iterations;
  report.status = crossed.status;
  report.residual = crossed.residual;
  if (is_done) {
    std::swap(now_, next_);
    find_sides(point);
  }
  return is_done;
}

StepReport EventAdvance::advance_to(Point& point, double end) {
  refused_ = false;
  begin(point);
  before_ = point;
  const double from = point.t;
  StepReport report = flow_.step_from(point, end);
  if (report.status != StepStatus::ok) {
    if (pass_refused(point, from, end, report)) report.steps = 1;
    return report;
  }
  flow_.evaluate(point, next_);
  StepReport crossed;
  if (may_have_happened(true) && !cross(before_, point, from, end, {end}, crossed)) {
    report.status = crossed.status;
    report.residual = crossed.residual;
    report.steps = 0;
  }
  report.iterations += crossed.iterations;
  std::swap(now_, next_);
  return report;
}

void EventAdvance::note(const EventZero& zero, const Point& before, const Point& after) {
  EventHistory& history = history_[zero.event];
  // A run that goes on from the node before its end finds again what lies between.
  const bool is_new =
      !history.last || before.t > *history.last + found_again * stepper_.step_size();
  if (!is_new) return;
  ++history.count;
  history.last = before.t;
  std::array<double, 3>& latest = latest_[zero.event];
  latest = {latest[1], latest[2], before.t};
  EventOccurrence occurrence{zero.event, before.t, zero.rising, {}, before.v, {}, after.v};
  unwrap_positions(before, occurrence.q);
  unwrap_positions(after, occurrence.q_after);
  occurrences_.push_back(std::move(occurrence));
}

bool EventAdvance::refuse(std::size_t event, double t, const std::string& why) {
  refusal_ = "event \"" + events().event(event).name + "\" at t = " + to_string(t) + ": " + why;
  refused_ = true;
  return false;
}

/// With the time to which bounces lead that become shorter by one factor.
bool EventAdvance::refuse_rest(std::size_t event, double t, const std::string& what) {
  std::string when;
  const auto [first, second, third] = latest_[event];
  const double interval = third - second, factor = interval / (second - first);
  if (history_[event].count >= 3 && factor > 0.0 && factor < 1.0)
    when = " at t = " + to_string(third + interval * factor / (1.0 - factor));
  return refuse(event, t,
                what + when +
                    ", and what stays in contact is a constraint; end the run there "
                    "with rest, a least velocity, or with terminal");
}

/// What an event that acts makes of a state.
bool EventAdvance::act(std::size_t index, Point& point) {
  const Event& event = events().event(index);
  if (++in_this_step_[index] > most_in_a_step)
    return refuse_rest(index, point.t,
                       "it happens more than " + std::to_string(most_in_a_step) +
                           " times in a step, as where a body comes to rest");
  // A new angle is one with its turns; what jumps at an impact keeps more digits without.
  if (event.impact == nullptr || events().counts_turns()) {
    unwrap_positions(point, q_);
  } else {
    q_ = point.q;
  }
  v_ = point.v;
  if (const auto reason = flow_.functions().act(index, point.t, q_, v_))
    return refuse(index, point.t, *reason);
  if (event.impact != nullptr) {
    point.v = v_;
    std::ranges::fill(point.v_carry, 0.0);
    if (!point.lambda.empty()) evaluator_.multiplier(point.t, point.q, point.v, point.lambda);
    return true;
  }
  return take_state(index, point);
}

/// q_ and v_ become the state of a point.
bool EventAdvance::take_state(std::size_t index, Point& point) {
  // What has not been changed keeps its digits: the turns stand beside the angle.
  std::vector<double> turns(q_.size(), 0.0);
  for (std::size_t i = 0; i < q_.size(); ++i) {
    if (q_[i] != numeric::unwrapped(point.q[i], point.turns[i])) continue;
    q_[i] = point.q[i];
    turns[i] = point.turns[i];
  }
  try {
    if (events().event(index).project)
      std::tie(q_, v_) = evaluator_.consistent_state(point.t, q_, v_);
    if (!start_points_) start_points_.emplace(stepper_, evaluator_);
    point = (*start_points_)(q_, v_, point.t);
  } catch (const RequestError& error) {
    return refuse(index, point.t, std::string("the state after it cannot be: ") + error.what());
  }
  for (std::size_t i = 0; i < turns.size(); ++i) point.turns[i] += turns[i];
  return true;
}

/// True for a zero, at between_, that is one more of a sliding mode, in which steps go to and fro.
bool EventAdvance::slides_on(const EventZero& zero) {
  std::optional<double>& last = history_[zero.event].last;
  const bool is_near = last && std::fabs(between_.t - *last) < most_between * stepper_.step_size();
  if (!is_near || events().event(zero.event).impact != nullptr ||
      !flow_.is_pushed_back(zero.event, between_))
    return false;
  last = numeric::larger(*last, between_.t);
  return true;
}

bool EventAdvance::happen(const EventZero& zero, Point& point, double rate_before) {
  if (slides_on(zero)) return true;
  const Event& event = events().event(zero.event);
  constexpr auto rest = "the motion comes to rest on it";
  if (zero.rests && event.impact != nullptr) return refuse_rest(zero.event, point.t, rest);
  at_event_ = point;
  double rate = 0.0;
  if (event.acts()) {
    if (!act(zero.event, point)) return false;
    flow_.evaluate(point, next_);
    rate = next_[zero.event].rate;
  }
  note(zero, at_event_, point);
  const bool rests = event.impact != nullptr && std::fabs(rate) < event.rest;
  if (rests || (event.stop_after > 0 && history_[zero.event].count >= event.stop_after)) {
    ended_by_ = zero.event;
    return false;
  }
  const bool stays =
      zero.rising == (rate > 0.0) || std::fabs(rate) <= no_departure * std::fabs(rate_before);
  return event.impact == nullptr || !stays || refuse_rest(zero.event, point.t, rest);
}

/// All events at the time of the first of them, which acts, on the state between_.
bool EventAdvance::happen_together(std::span<const EventZero> zeros) {
  for (const EventZero& zero : zeros) {
    flow_.evaluate(between_, next_);
    const double rate = next_[zero.event].rate;
    // An earlier one at the same time may have turned the motion round.
    const bool is_over = &zero != zeros.data() && zero.rising != (rate > 0.0);
    if (!is_over && !happen(zero, between_, rate)) return false;
  }
  return true;
}

/// The sides on which the motion goes on from between_, where those of `zeros` have happened.
void EventAdvance::leave(std::span<const EventZero> zeros) {
  flow_.evaluate(between_, now_);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const EventValues& at = now_[i];
    const bool has_happened =
        std::ranges::any_of(zeros, [i](const EventZero& zero) { return zero.event == i; });
    // It has been located on a step of its own, and not quite at zero.
    const bool touches = has_happened && std::fabs(at.value) <= found_again * sizes_[i];
    const bool is_away = flow_.nearness(at) == Nearness::away;
    if (touches && is_away) {
      sides_[i] = at.rate != 0.0 ? side_of(at.rate) : side_of(at.value);
    } else if (is_away || has_happened || at.value != at_event_values_[i].value) {
      sides_[i] = zeros_.side_after(i, between_, at);
    }
  }
}

bool EventAdvance::cross(const Point& node, Point& after, double from, double to, Reach reach,
                         StepReport& report) {
  const double begin_time = from;
  const auto fail = [&](StepReport why) {
    after = node;
    after.t = begin_time;
    why.iterations = report.iterations;
    report = why;
    return false;
  };
  std::ranges::fill(in_this_step_, 0);
  refused_ = false;
  begin_ = node;
  for (;;) {
    const EventFlow::Span span{&begin_, &after, from, reach.end, &now_, &next_};
    if (!zeros_.find(span, sides_)) return fail(flow_.failure());
    const std::vector<EventZero>& found = zeros_.found();
    auto zero = found.begin();
    for (; zero != found.end() && !events().event(zero->event).acts(); ++zero) {
      if (!flow_.go_to(span, zero->fraction, between_)) return fail(flow_.failure());
      if (happen(*zero, between_, 0.0)) continue;
      after = between_;
      return true;
    }
    if (zero == found.end()) return reach.end == to || fail(reach.refused);
    if (!flow_.go_to(span, zero->fraction, between_)) return fail(flow_.failure());
    const double last = zero->fraction + same_time;
    const auto beyond =
        std::find_if(zero, found.end(), [last](const EventZero& z) { return z.fraction > last; });
    sizes_.clear();
    for (std::size_t i = 0; i < sides_.size(); ++i)
      sizes_.push_back(std::fabs(now_[i].value) + std::fabs(next_[i].value));
    flow_.evaluate(between_, at_event_values_);
    const std::span<const EventZero> together(&*zero, static_cast<std::size_t>(beyond - zero));
    const bool goes_on = happen_together(together);
    if (refused_) return fail({.status = StepStatus::event_refused});
    after = between_;
    if (!goes_on) return true;
    leave(std::span(found).first(static_cast<std::size_t>(beyond - found.begin())));
    from = between_.t;
    if (!(to - from > 16.0 * round_off * numeric::larger(std::fabs(to), to - begin_time))) {
      after.t = to;
      next_ = now_;
      return true;
    }
    begin_ = between_;
    reach = step_on(after, to);
    report.iterations += reach.refused.iterations;
    if (!(reach.end > from)) return fail(reach.refused);
    flow_.evaluate(after, next_);
  }
}

}  // namespace dalembert
