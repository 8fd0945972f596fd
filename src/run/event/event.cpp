#include "dalembert/run/event/event.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/evaluator.hpp"

namespace dalembert {
namespace {

/// Sum of what an expression changes by with all of each number of a state.
Expr size_of_changes(const Expr& expression, const Vector& state) {
  const Vector slope = gradient(expression, state);
  Expr size = 0.0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    const Expr part = slope[i] * state[i];
    size = size + abs(part);
  }
  return size;
}

/// The function of an event, its rate, and the sizes of their terms, as EventValues has them.
struct EventExpressions {
  Expr value, rate, size, rate_size;
};

EventExpressions expressions_of(const System& system, const Event& event, const Symbols& s) {
  const Vector state = concatenate({s.q, s.v, Vector{s.t}});
  const Expr value = event.function(s), rate = rate_along_motion(system, s, value);
  // A state that was located in time is known to round-off of that.
  const Expr by_time = s.t * rate;
  Expr size = abs(by_time) + size_of_changes(value, state);
  for (const Expr& term : terms_of(value)) size = size + abs(term);
  if (system.is_skew_gradient()) return {value, rate, size, size_of_changes(rate, state)};
  Expr rate_size = size_of_changes(rate_at_velocity(system, s, value), state);
  if (!any_depends_on({value}, s.v)) return {value, rate, size, rate_size};
  const Vector acceleration = system.eliminated(s.q, s.v, s.t).acceleration,
               slope = gradient(value, s.v);
  for (std::size_t i = 0; i < slope.size(); ++i) {
    if (slope[i].is_constant(0.0)) continue;
    const Expr terms = abs(slope[i]) + size_of_changes(slope[i], state);
    rate_size = rate_size + terms * abs(acceleration[i]);
  }
  return {value, rate, size, rate_size};
}

RequestError about(const Event& event, const std::string& what) {
  return RequestError("event \"" + event.name + "\" " + what);
}

void check_event(const Event& event, const System& system, const Symbols& s) {
  if (event.function == nullptr) throw about(event, "has no function");
  if (event.impact != nullptr && event.change != nullptr)
    throw about(event, "has an impact as well as a change; it does one of them");
  if (!(event.rest >= 0.0)) throw about(event, "has a velocity of rest that is not >= 0");
  const Vector state = concatenate({s.q, s.v, s.variables, Vector{s.t}});
  if (!depends_on(event.function(s), state))
    throw about(event, "has a function without time, positions and velocities; it never changes");
  if (event.change == nullptr) return;
  const StateChange change = event.change(s);
  const auto fits = [](const Vector& part, std::size_t size) {
    return part.empty() || part.size() == size;
  };
  if (!fits(change.q, system.storage_count()) || !fits(change.v, system.velocity_count()))
    throw about(event, "changes the state to one of another size");
}

}  // namespace

std::function<Vector(const Symbols&, const Expr& h)> watched_events(
    const System& system, const std::vector<Event>& events) {
  if (events.empty()) return nullptr;
  return [system, events](const Symbols& s, const Expr& h) {
    Vector watched;
    for (const Event& event : events) {
      const auto [value, rate, size, rate_size] = expressions_of(system, event, s);
      watched.push_back(value);
      watched.push_back(square(value) - square(2.0 * h * rate) - square(stays_within * size));
    }
    return watched;
  };
}

void check_member_event(const Event& event) {
  if (event.stop_after > 1)
    throw about(event, "ends a run at number " + std::to_string(event.stop_after) +
                           "; members of an ensemble end at the first, terminal = true");
  if (!event.acts() && event.stop_after == 0)
    throw about(event,
                "neither ends a member nor changes its state, and of an ensemble no list of events "
                "is kept; give it terminal = true, or run the members alone");
}

std::string event_end_text(const std::string& name, double t) {
  return "event \"" + name + "\" has ended it at t = " + to_string(t);
}

std::optional<std::string> event_misfit(const Method& method, const System& system,
                                        const std::vector<Event>& events) {
  if (events.empty() || method.carried_names(system).empty()) return std::nullopt;
  const std::string carries =
      "method \"" + method.name() + "\" carries data of steps of one size and cannot ";
  const bool any_acts =
      std::ranges::any_of(events, [](const Event& event) { return event.acts(); });
  if (any_acts)
    return carries + "go on from within a step, as after an event that changes the state";
  if (system.traits().has_groups) return carries + "locate events of elements of groups";
  return std::nullopt;
}

std::vector<Event> acting_events(const std::vector<Event>& events) {
  std::vector<Event> acting;
  for (Event event : events) {
    if (!event.acts()) continue;
    event.stop_after = 0;
    event.rest = 0.0;
    acting.push_back(std::move(event));
  }
  return acting;
}

EventFunctions::EventFunctions(const System& system, std::vector<Event> events,
                               std::span<const double> parameters)
    : events_(std::move(events)) {
  const Symbols s = system.symbols();
  for (const Event& event : events_) {
    check_event(event, system, s);
    Action& action = actions_.emplace_back();
    try {
      if (event.impact != nullptr) action.impact.emplace(system, event.impact, parameters);
    } catch (const RequestError& error) {
      throw about(event, std::string("is no impact: ") + error.what());
    }
    if (event.change == nullptr) continue;
    const StateChange change = event.change(s);
    action.changes_q = !change.q.empty();
    action.changes_v = !change.v.empty();
    action.change = {system, s, concatenate({change.q, change.v}), parameters};
  }
  if (events_.empty()) return;
  Vector outputs;
  const Vector state = concatenate({s.q, s.v, s.variables, Vector{s.t}});
  for (const Event& event : events_) {
    const auto [value, rate, size, rate_size] = expressions_of(system, event, s);
    outputs = concatenate({outputs, Vector{value, rate, size, rate_size}});
    pieces_.push_back({has_pieces_in(value, state), has_pieces_in(rate, state)});
  }
  functions_ = {system, s, outputs, parameters};
  values_.resize(events_.size());
  find_turns(system);
}

/// By trial at some states.
void EventFunctions::find_turns(const System& system) {
  constexpr int trials = 4;
  std::mt19937_64 engine(7);
  const auto random = [&engine] {
    return std::uniform_real_distribution<double>(-1.0, 1.0)(engine);
  };
  const std::vector<Coordinate> stored = system.configuration().storage();
  std::vector<double> q(system.storage_count()), v(system.velocity_count());
  std::vector<EventValues> found;
  const auto differs = [](double a, double b) {
    return std::fabs(a - b) > 1e-9 * (1.0 + std::fabs(b));
  };
  for (int trial = 0; trial < trials; ++trial) {
    for (double& entry : q) entry = random();
    for (double& entry : v) entry = random();
    const double t = random();
    const std::span<const EventValues> here = values(t, q, v);
    found.assign(here.begin(), here.end());
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (!stored[i].is_angle) continue;
      const double before = q[i];
      q[i] += 2.0 * std::numbers::pi;
      const std::span<const EventValues> turned = values(t, q, v);
      for (std::size_t k = 0; k < found.size(); ++k)
        counts_turns_ = counts_turns_ || differs(turned[k].value, found[k].value) ||
                        differs(turned[k].rate, found[k].rate);
      q[i] = before;
    }
  }
}

std::span<const EventValues> EventFunctions::values(double t, std::span<const double> q,
                                                    std::span<const double> v) {
  const std::span<const double> numbers = functions_(t, q, v);
  // A slope that is infinite, as that of sqrt(x) at zero, says nothing of round-off.
  const auto size = [](double given, double number) {
    return std::isfinite(given) ? given : std::fabs(number);
  };
  const double* own = numbers.data();
  for (EventValues& of : values_) {
    of = {own[0], own[1], size(own[2], own[0]), size(own[3], own[1])};
    own += 4;
  }
  return values_;
}

std::optional<std::string> EventFunctions::beyond(std::size_t i, std::span<const double> q,
                                                  std::span<const double> v, double h) {
  const Event& event = events_[i];
  if (event.impact == nullptr || event.direction == Direction::both) return std::nullopt;
  const auto [value, rate, size, rate_size] = values(0.0, q, v)[i];
  const bool falling = event.direction == Direction::falling;
  const double touching = touching_within(h * rate);
  if (!(falling ? value < -touching : value > touching)) return std::nullopt;
  return "the function of event \"" + event.name + "\" is " + to_string(value) +
         " at the start, beyond the impact, which takes place where it is " +
         (falling ? "falling" : "rising") + " through zero";
}

std::optional<std::string> EventFunctions::act(std::size_t i, double t, std::vector<double>& q,
                                               std::vector<double>& v) {
  Action& action = actions_[i];
  if (action.impact) {
    switch ((*action.impact)(t, q, v)) {
      case Impact::Outcome::done:
        return std::nullopt;
      case Impact::Outcome::no_restitution:
        return "its coefficient of restitution is not between -1 and 1";
      case Impact::Outcome::not_free:
        return "the constraints leave the velocity at the contact no freedom to change";
    }
  }
  const std::span<const double> after = action.change(t, q, v);
  if (!std::ranges::all_of(after, [](double value) { return std::isfinite(value); }))
    return "the state after it is not finite";
  const auto middle = after.begin() + static_cast<std::ptrdiff_t>(action.changes_q ? q.size() : 0);
  if (action.changes_q) std::copy(after.begin(), middle, q.begin());
  if (action.changes_v) std::copy(middle, after.end(), v.begin());
  return std::nullopt;
}

}  // namespace dalembert
