#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/run/adaptive.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/node_interpolation.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// A zero of the function of an event within a step.
struct EventZero {
  double fraction = 0.0;
  std::size_t event = 0;
  bool rising = true;
  bool rests = false;  ///< since the zero before, from which it began, it has not left zero
};

/// How a function is near zero at a state.
enum class Nearness : std::uint8_t {
  away,    ///< not within round-off
  passes,  ///< zero within round-off, with a rate that leads through
  stays,   ///< the same within `stays_within`, and so is what it changes by within a step
};

/// Finds zeros of the functions of events within steps, on the method's own continuation between
/// the nodes: a step of another size from the node before; of a method that carries data of steps
/// of one size, the cubic through both nodes. What becomes of them is for EventAdvance.
class EventZeros {
 public:
  /// A step, or what is left of one: from one state to another, with the values there.
  struct Span {
    const Point *begin, *end;
    double from, to;
    const std::vector<EventValues>*at_begin, *at_end;
  };

  EventZeros(Stepper& stepper, EventFunctions functions);

  EventFunctions& functions() { return functions_; }
  const EventFunctions& functions() const { return functions_; }
  /// Into as many as there are events.
  void evaluate(const Point& point, std::vector<EventValues>& values);

  Nearness nearness(const EventValues& at) const;
  /// The side of zero on which a motion goes on from a state, 1 or -1, a function of the state
  /// alone; 0 where the function stays zero. That of an impact from one side is where the body is:
  /// it also is where round-off has led it through.
  int side_after(std::size_t event, const Point& point, const EventValues& at);
  /// Whether a step may come to zero near a node.
  bool is_near(const EventValues& at) const;
  /// Whether a step of this length that went on as it begins would come to zero from this side.
  static bool heads_for_zero(const EventValues& at, int side, double h) {
    return side * at.rate < 0.0 && std::fabs(at.value) < std::fabs(h * at.rate);
  }
  /// Whether an event looks for zeros that are passed that way.
  bool wants(std::size_t event, bool rising) const;

  /// Whether the motion is pushed back to zero from both sides of it, near a state: a sliding mode,
  /// as where dry friction stops a slip.
  bool is_pushed_back(std::size_t event, const Point& point);

  /// As Stepper::advance, with what an adaptive method makes of a step.
  StepReport take_steps(Point& point, double start, std::uint64_t first, std::uint64_t steps);
  /// One step of another size; the stepper keeps its own.
  StepReport step_from(Point& point, double end);
  /// The same as far as steps from the point go, where that to the end is refused: to the time that
  /// is returned, the beginning if there is none. To the last bit, or, since a step may lead across
  /// the end of a motion, to the zero that a function comes to first; `now` are the values at the
  /// point, `sides` those on which it goes on.
  double step_as_far(Point& point, double end, std::span<const EventValues> now,
                     std::span<const int> sides);
  /// The state at a fraction of a span; false where a step was refused, see `failure`.
  bool go_to(const Span& span, double fraction, Point& point);

  /// The zeros of a span whose functions begin on these sides, in the order of time, into `found`;
  /// false where a step was refused.
  bool find(const Span& span, std::span<const int> sides);
  const std::vector<EventZero>& found() const { return found_; }
  const StepReport& failure() const { return failure_; }
  /// Substeps so far that an adaptive method has rejected.
  std::uint64_t rejected() const { return divide_ ? divide_->rejected() : 0; }

 private:
  enum class Part { value, rate };
  static double part_of(const EventValues& values, Part part) {
    return part == Part::value ? values.value : values.rate;
  }

  /// A place within a span, with the values there.
  struct Place {
    double fraction;
    EventValues at;
  };
  /// The sides of zero before and after a state.
  struct Sides {
    int before, after;
  };

  /// The side of an impact from one side, nothing of other events.
  std::optional<int> side_of_body(std::size_t event) const;
  int side_to_come(std::size_t event, const Point& point);
  double farthest_step(Point& point, double end);
  /// A time, and the rate shortly before.
  struct Arrival {
    double t, rate;
  };
  std::optional<Arrival> zero_ahead(const Point& begin, double end, std::size_t event, int side,
                                    EventValues at);
  Sides sides_at_end(const Span& span, std::size_t event, int side);
  void find_of(const Span& span, std::size_t event, int side);
  void find_crossing(const Span& span, std::size_t event, int side);
  void find_dip(const Span& span, std::size_t event, int side);
  bool find_ahead(const Span& span, std::size_t event, int side, bool returns);
  void find_between(const Span& span, std::size_t event, int side, const Place& low,
                    const Place& high);
  void add(const EventZero& zero);
  std::optional<Place> turn_after(const Span& span, std::size_t event, const Place& low);
  std::optional<Place> place_on(const Span& span, std::size_t event, int side, double low);
  double entry_to_zero(const Span& span, std::size_t event);
  std::optional<double> locate(const Span& span, std::size_t event, Part part, double low,
                               double high, double at_low, double at_high);
  EventValues values_at(const Span& span, std::size_t event, double fraction);

  Stepper& stepper_;
  EventFunctions functions_;
  std::optional<AdaptiveAdvance> divide_;
  bool interpolates_, has_failed_ = false;
  StepReport failure_;
  std::vector<EventZero> found_;
  std::vector<EventValues> trial_values_, come_to_;
  Point trial_, ahead_;  // kept, so that no step allocates
  std::vector<double> q_, q_begin_, q_end_;
  NodeInterpolation interpolation_;
};

}  // namespace dalembert
