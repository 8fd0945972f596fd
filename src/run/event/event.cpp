#include "dalembert/run/event/event.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/evaluator.hpp"

namespace dalembert {
namespace {

Vector functions_and_rates(const System& system, const std::vector<Event>& events,
                           const Symbols& s) {
  Vector outputs;
  for (const Event& event : events) {
    const Expr function = event.function(s);
    outputs.push_back(function);
    outputs.push_back(rate_along_motion(system, s, function));
  }
  return outputs;
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
    Vector watched = functions_and_rates(system, events, s);
    for (std::size_t i = 0; i < watched.size(); i += 2)
      watched[i + 1] = square(watched[i]) - square(2.0 * h * watched[i + 1]);
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
  functions_ = {system, s, functions_and_rates(system, events_, s), parameters};
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
  std::vector<double> q(system.storage_count()), v(system.velocity_count()), found;
  for (int trial = 0; trial < trials; ++trial) {
    for (double& entry : q) entry = random();
    for (double& entry : v) entry = random();
    const double t = random();
    const std::span<const double> here = values(t, q, v);
    found.assign(here.begin(), here.end());
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (!stored[i].is_angle) continue;
      const double before = q[i];
      q[i] += 2.0 * std::numbers::pi;
      const std::span<const double> turned = values(t, q, v);
      for (std::size_t k = 0; k < found.size(); ++k)
        counts_turns_ =
            counts_turns_ || std::fabs(turned[k] - found[k]) > 1e-9 * (1.0 + std::fabs(found[k]));
      q[i] = before;
    }
  }
}

std::span<const double> EventFunctions::values(double t, std::span<const double> q,
                                               std::span<const double> v) {
  return functions_(t, q, v);
}

std::optional<std::string> EventFunctions::beyond(std::size_t i, std::span<const double> q,
                                                  std::span<const double> v, double h) {
  const Event& event = events_[i];
  if (event.impact == nullptr || event.direction == Direction::both) return std::nullopt;
  const std::span<const double> found = values(0.0, q, v);
  const double value = found[2 * i], rate = found[2 * i + 1];
  const bool falling = event.direction == Direction::falling;
  // Round-off of a start that touches.
  const double touching = 1e-9 * (1.0 + h * std::fabs(rate));
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
