#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/run/event/event_flow.hpp"

namespace dalembert {

/// A zero of the function of an event within a step.
struct EventZero {
  double fraction = 0.0;  ///< of the step, 0 to 1
  std::size_t event = 0;  ///< its number
  bool rising = true;     ///< false: the function passes zero falling
  bool rests = false;     ///< since the zero before, from which it began, it has not left zero
};

/// Finds zeros of the functions of events within steps. EventAdvance decides about their effects.
class EventZeros {
 public:
  using Span = EventFlow::Span;

  explicit EventZeros(EventFlow& flow) : flow_(flow) {}

  /// The side of zero on which a motion goes on from a state, 1 or -1, a function of the state
  /// alone; 0 where the function stays zero. That of an impact from one side is where the body is:
  /// it also is where round-off has led it through.
  int side_after(std::size_t event, const Point& point, const EventValues& at);

  /// The zeros of a span whose functions begin on these sides, in the order of time, into `found`;
  /// false where a step was refused, see EventFlow::failure.
  bool find(const Span& span, std::span<const int> sides);
  const std::vector<EventZero>& found() const { return found_; }  ///< by `find`

 private:
  enum class Part { value, rate };
  static double part_of(const EventValues& values, Part part) {
    return part == Part::value ? values.value : values.rate;
  }

  /// A place within a span, with the values there.
  struct Place {
    double fraction;  ///< of the span, 0 to 1
    EventValues at;   ///< values of one event
  };
  /// The sides of zero before and after a state.
  struct Sides {
    int before, after;  ///< 1, 0 or -1
  };

  /// The side of an impact from one side, nothing of other events.
  std::optional<int> side_of_body(std::size_t event) const;
  int side_to_come(std::size_t event, const Point& point);
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

  EventFlow& flow_;
  std::vector<EventZero> found_;
  Point trial_, ahead_;  // kept, so that no step allocates
};

}  // namespace dalembert
