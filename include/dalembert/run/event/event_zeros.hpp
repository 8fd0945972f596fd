#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/run/adaptive.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/node_interpolation.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// The function of an event at a state, and its rate along the motion.
struct EventValues {
  double value = 0.0, rate = 0.0;
};

/// A zero of the function of an event within a step.
struct EventZero {
  double fraction = 0.0;
  std::size_t event = 0;
  bool rising = true;
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

  /// By the round-off of a time within a step.
  bool is_zero(const EventValues& at) const;
  /// The side of zero on which a motion goes on from a node, 1 or -1: a function of the state there
  /// alone; 0 where what it comes to decides.
  int side_of(const EventValues& at) const;
  /// Whether a step may come to zero near a node.
  bool is_near(const EventValues& at) const;
  /// Whether an event looks for zeros that are passed that way.
  bool wants(std::size_t event, bool rising) const;

  /// As Stepper::advance, with what an adaptive method makes of a step.
  StepReport take_steps(Point& point, double start, std::uint64_t first, std::uint64_t steps);
  /// One step of another size; the stepper keeps its own.
  StepReport step_from(Point& point, double end);
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

  void find_of(const Span& span, std::size_t event, int side);
  void find_between(const Span& span, std::size_t event, double low, double high,
                    EventValues at_low, EventValues at_high);
  std::optional<double> locate(const Span& span, std::size_t event, Part part, double low,
                               double high, double at_low, double at_high);
  EventValues values_at(const Span& span, std::size_t event, double fraction);

  Stepper& stepper_;
  EventFunctions functions_;
  std::optional<AdaptiveAdvance> divide_;
  bool interpolates_, has_failed_ = false;
  StepReport failure_;
  std::vector<EventZero> found_;
  std::vector<EventValues> trial_values_;
  Point trial_;  // kept, so that no step allocates
  std::vector<double> q_, q_begin_, q_end_;
  NodeInterpolation interpolation_;
};

}  // namespace dalembert
