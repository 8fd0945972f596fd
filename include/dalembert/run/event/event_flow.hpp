#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/run/adaptive.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/node_interpolation.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// Relation of a function to zero at a state.
enum class Nearness : std::uint8_t {
  away,    ///< not within round-off
  passes,  ///< zero within round-off, with a rate that leads through
  stays,   ///< the same within `stays_within`, and so is what it changes by within a step
};

/// Part of the size of its terms: a function that is nearer to zero is zero.
inline constexpr double zero_within = 64.0 * std::numeric_limits<double>::epsilon();

/// Sign of a number: 1, 0 or -1.
inline int side_of(double value) { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }

/// Motion between the nodes of a run, with the functions of events on it: the method's own
/// continuation, a step of another size from the node before; of a method that carries data of
/// steps of one size, the cubic through both nodes. One per thread.
class EventFlow {
 public:
  /// A step, or what is left of one: from one state to another, with the values there.
  struct Span {
    const Point *begin, *end;                          ///< states
    double from, to;                                   ///< times
    const std::vector<EventValues>*at_begin, *at_end;  ///< values of all events there
  };

  EventFlow(Stepper& stepper, EventFunctions functions);

  EventFunctions& functions() { return functions_; }              ///< of the events
  const EventFunctions& functions() const { return functions_; }  ///< of the events
  double step_size() const { return stepper_.step_size(); }       ///< of the stepper
  /// True where states between nodes lie on the cubic through both.
  bool interpolates() const { return interpolates_; }

  /// Evaluates the functions at a state, into as many as there are events.
  void evaluate(const Point& point, std::vector<EventValues>& values);
  /// The values of one event.
  EventValues values_of(std::size_t event, const Point& point);
  /// Relation of an event's function to zero, for steps of the stepper's size.
  Nearness nearness(const EventValues& at) const;
  /// True where a step may come to zero near a node.
  bool is_near(const EventValues& at) const;
  /// True where a step of this length that went on as it begins would come to zero from this side.
  static bool heads_for_zero(const EventValues& at, int side, double h) {
    return side * at.rate < 0.0 && std::fabs(at.value) < std::fabs(h * at.rate);
  }
  /// True where the motion is pushed back to zero from both sides of it, near a state: a sliding
  /// mode, as where dry friction stops a slip.
  bool is_pushed_back(std::size_t event, const Point& point);

  /// Steps as those of Stepper::advance; an adaptive method divides each.
  StepReport take_steps(Point& point, double start, std::uint64_t first, std::uint64_t steps);
  /// One step of another size; the stepper keeps its own.
  StepReport step_from(Point& point, double end);
  /// One step as far as steps from the point go, where that to the end is refused: to the time that
  /// is returned, the beginning if there is none. To the last bit, or, since a step may lead across
  /// the end of a motion, to the zero that a function comes to first; `now` are the values at the
  /// point, `sides` those on which it goes on.
  double step_as_far(Point& point, double end, std::span<const EventValues> now,
                     std::span<const int> sides);
  /// A time, and the rate shortly before.
  struct Arrival {
    double t, rate;  ///< rate: of the event's function
  };
  /// Time at which a function comes to zero, by steps from its side, as far as these go; nothing if
  /// it turns back or they end before. Nearly those of Newton: beyond the end of a motion steps
  /// lead anywhere.
  std::optional<Arrival> zero_ahead(const Point& begin, double end, std::size_t event, int side,
                                    EventValues at);

  /// The state at a fraction of a span; false where a step was refused, see `failure`.
  bool go_to(const Span& span, double fraction, Point& point);
  /// Values at a fraction of a span; nan where a step was refused.
  EventValues values_at(const Span& span, std::size_t event, double fraction);
  /// True if a step to a state of a span was refused since `forget_failure`.
  bool has_failed() const { return has_failed_; }
  const StepReport& failure() const { return failure_; }  ///< of the step refused last
  /// Resets `has_failed`.
  void forget_failure() { has_failed_ = false; }
  /// Substeps so far that an adaptive method has rejected.
  std::uint64_t rejected() const { return divide_ ? divide_->rejected() : 0; }

 private:
  double farthest_step(Point& point, double end);

  Stepper& stepper_;
  EventFunctions functions_;
  std::optional<AdaptiveAdvance> divide_;
  bool interpolates_, has_failed_ = false;
  StepReport failure_;
  std::vector<EventValues> trial_values_;
  Point trial_, begin_;  // kept, so that no step allocates
  std::vector<double> q_, q_begin_, q_end_, slope_;
  NodeInterpolation interpolation_;
};

}  // namespace dalembert
