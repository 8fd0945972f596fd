#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/event/impact.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/method.hpp"

namespace dalembert {

/// One time at which an event has happened.
struct EventOccurrence {
  std::size_t event = 0;                           ///< its number among those of the run
  double t = 0.0;                                  ///< time of the event
  bool rising = true;                              ///< false: its function passes zero falling
  std::vector<double> q = {}, v = {};              ///< state before it; angles unwrapped
  std::vector<double> q_after = {}, v_after = {};  ///< state after it; the same if nothing changes
};

/// Past of an event up to a state of a run: all that it takes to go on.
struct EventHistory {
  std::uint64_t count = 0;          ///< number of times it has happened
  std::optional<double> last = {};  ///< time of the last one
};

/// The function of an event at a state, its rate along the motion, and the sizes of the terms of
/// which both are made: round-off of the state and of their own sums is a part of these.
struct EventValues {
  double value = 0.0, rate = 0.0, size = 0.0, rate_size = 0.0;  ///< sizes: sums of terms, >= 0
};

/// Of the size of its terms: a function that is this near to zero, and changes by no more within a
/// step, stays there. Round-off of a million steps that walks is less.
inline constexpr double stays_within = 1024.0 * std::numeric_limits<double>::epsilon();

/// Distance beyond an impact at which a motion still touches it, for the round-off of a start, if
/// it comes this far within a step.
inline double touching_within(double way) { return 1e-9 * (1.0 + std::fabs(way)); }

/// Quantities that a program is to watch (`StepOptions::also_watched`), so that steps without an
/// event cost next to nothing: of each event its function g, and g^2 - (2 h g')^2 - (stays_within
/// S)^2 with its rate g' along the motion and the size S of its terms, which is negative only where
/// a step may come to zero.
std::function<Vector(const Symbols&, const Expr& h)> watched_events(
    const System& system, const std::vector<Event>& events);

/// Reason for which runs of the method cannot have these events, nothing if they can. A method that
/// carries data of steps of one size cannot go on from within a step, nor locate events of elements
/// of groups.
std::optional<std::string> event_misfit(const Method& method, const System& system,
                                        const std::vector<Event>& events);

/// Those events that change the state, none of which ends a run: what it takes to see a motion
/// between nodes of a run that is known to go on.
std::vector<Event> acting_events(const std::vector<Event>& events);

/// RequestError for an event that members of an ensemble, of which no list of events is kept,
/// cannot have: one that neither ends them nor changes their state, or ends them at a later time
/// than its first.
void check_member_event(const Event& event);

/// "event \"floor\" has ended it at t = 3.2".
std::string event_end_text(const std::string& name, double t);

/// Events of a system in numbers. One per thread; copies are independent.
class EventFunctions {
 public:
  EventFunctions() = default;
  /// Parameters in the order of the description; the defaults if empty. RequestError, naming the
  /// event, for a function that is constant, for an impact that Impact refuses, and for a change of
  /// the wrong size.
  EventFunctions(const System& system, std::vector<Event> events,
                 std::span<const double> parameters = {});

  std::size_t size() const { return events_.size(); }  ///< number of events
  /// Event number i < size().
  const Event& event(std::size_t i) const { return events_[i]; }
  const std::vector<Event>& events() const { return events_; }  ///< in order
  /// True if a function is another one after a whole turn of an angle, as `x_angle - 20` is, and is
  /// therefore looked at with unwrapped angles.
  bool counts_turns() const { return counts_turns_; }
  /// True where an event looks for zeros that are passed that way.
  bool wants(std::size_t i, bool rising) const {
    const Direction direction = events_[i].direction;
    return direction == Direction::both || (direction == Direction::rising) == rising;
  }
  /// True where the function is made of pieces: its value at a zero does not tell how it goes on.
  bool has_pieces(std::size_t i) const { return pieces_[i].function; }
  /// True where the function or its rate is made of pieces.
  bool may_jump(std::size_t i) const { return pieces_[i].function || pieces_[i].rate; }

  /// Values of all events, [size()]; valid until the next call.
  std::span<const EventValues> values(double t, std::span<const double> q,
                                      std::span<const double> v);
  /// Message that a start at t = 0, with steps of size h, lies beyond the impact that the event is,
  /// which then would not take place; nothing if it does not lie there.
  std::optional<std::string> beyond(std::size_t i, std::span<const double> q,
                                    std::span<const double> v, double h);
  /// Changes a state by an event that acts. Returns the reason if it cannot, else nothing.
  std::optional<std::string> act(std::size_t i, double t, std::vector<double>& q,
                                 std::vector<double>& v);

 private:
  struct Action {
    std::optional<Impact> impact = {};          ///< if the event is one
    StateFunction<double> change = {};          ///< q and v after
    bool changes_q = false, changes_v = false;  ///< false: `change` leaves it out
  };

  struct Pieces {
    bool function, rate;  ///< true where it is made of pieces
  };

  void find_turns(const System& system);

  std::vector<Event> events_;
  StateFunction<double> functions_;
  std::vector<EventValues> values_;
  std::vector<Pieces> pieces_;
  std::vector<Action> actions_;
  bool counts_turns_ = false;
};

}  // namespace dalembert
