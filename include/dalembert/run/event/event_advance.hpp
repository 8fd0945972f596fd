#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/event/event_zeros.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// Steps of a run with events.
///
/// An event is found within the step in which its function changes sign, or touches zero and turns
/// back: then there are two. It is located on the method's own continuation between the nodes,
/// which is a step of another size from the node before: of the method's order, on the constraints
/// as the nodes are, the same as the node at the step's end. Bracketing brings the function to
/// round-off. Of a method that carries data of steps of one size it is located on the cubic through
/// both nodes.
///
/// Where an event changes the state, the rest of the step is a step of its own from there, and so
/// on until the next node: the grid of nodes is that of a run without events. Events at the same
/// time take place in their order, as long as they still do after those before. What changes
/// nothing leaves no trace in the steps.
///
/// A function that is zero at a node, to round-off of its terms, has its event there, in the step
/// that ends at it; its rate says on which side it goes on or, where that is zero as well, the step
/// from there. One that comes to zero and stays, or is pushed back to it from both sides, has
/// happened once. One that is zero at the start is
/// no event but for an impact, where the motion goes on into the contact: that takes place at once.
/// A touch of zero within round-off is none, and neither is a jump. Three zeros within a step are
/// seen as one. An impact from which the motion does not leave by more than round-off is refused,
/// with the reason that it comes to rest. Of a step that is refused the events are those as far as
/// shorter steps go. Source: [HairerNorsettWanner1993], Sect. II.6.
class EventAdvance {
 public:
  /// More impacts of one event than this in one step come to no end.
  static constexpr int most_in_a_step = 1000;

  /// The stepper's program may watch the events (`watched_events`). `history` is what is known of
  /// them at the state from which a run goes on; empty at its start. RequestError as `event_misfit`
  /// says.
  EventAdvance(Stepper& stepper, EventFunctions events, std::span<const double> parameters,
               std::vector<EventHistory> history = {});
  EventAdvance(const EventAdvance&) = delete;  // its parts refer to each other
  EventAdvance& operator=(const EventAdvance&) = delete;

  /// As Stepper::advance, in steps of the stepper's size. An event that ends the run ends the
  /// steps: `point` is then the state at the event, which is no node, and the report counts the
  /// steps before. Where an event cannot do what it is to do, the status is event_refused, and
  /// `refusal` says why.
  [[nodiscard]] StepReport operator()(Point& point, double start, std::uint64_t first,
                                      std::uint64_t steps);
  /// One step to `end` > point.t.
  [[nodiscard]] StepReport advance_to(Point& point, double end);
  /// True if steppers and batches of a program can watch events: then states need no look where
  /// nothing is noticed.
  static bool can_watch(const StepProgram& program, const EventFunctions& events);
  /// The first of the watched quantities that belong to events, where they can be watched.
  std::size_t first_watched() const { return first_watched_; }

  /// Forgets the history, the end and the refusal: the next steps begin at a state of which nothing
  /// is known.
  void forget();
  /// True if the steps have to be looked at one by one, because no stepper can watch the events.
  bool needs_every_step() const { return !watches_; }

  /// Bounds of the `watched_events` within which nothing can happen to a motion from here on,
  /// [2 x events]; valid until the next call.
  std::span<const Stepper::Range> bounds_from(const Point& point);
  /// True if something may happen on the last step from the one state to the other, all states in
  /// between having been within bounds.
  bool may_have_happened(const Point& before, const Point& after, bool is_one_step);

  /// Events of the run, with their functions.
  const EventFunctions& events() const { return flow_.functions(); }
  /// Past of each event up to the present state, by event.
  const std::vector<EventHistory>& history() const { return history_; }
  /// The event that has ended the run.
  std::optional<std::size_t> ended_by() const { return ended_by_; }
  /// Reason for which an event could not act, as a clause; empty if all could.
  const std::string& refusal() const { return refusal_; }
  /// Substeps so far that an adaptive method has rejected.
  std::uint64_t rejected() const { return flow_.rejected(); }
  /// Events that have happened since the last call, in the order of time; they are taken out.
  std::vector<EventOccurrence> take() { return std::exchange(occurrences_, {}); }

 private:
  void begin(const Point& point);
  void find_sides(const Point& point);
  void find_bounds();
  void set_bounds();
  bool is_watched() const;
  bool may_have_happened(bool from_now) const;
  bool look_back(Point& point, double start, std::uint64_t first, StepReport& part);
  bool pass_refused(Point& point, double from, double to, StepReport& report);
  void take_back(Point& point, double start, std::uint64_t node, StepReport& part);
  /// Farthest time of a step, and the reason if that is not its end.
  struct Reach {
    double end;               ///< time that was reached
    StepReport refused = {};  ///< report of the step that was tried
  };
  Reach step_on(Point& point, double to);
  /// From a node to the state to which a step without events leads, as far as it goes, which is
  /// replaced by that with events. False where a step or an event was refused: then it is the node
  /// again.
  bool cross(const Point& node, Point& after, double from, double to, Reach reach,
             StepReport& report);
  /// Lets an event happen at a state: notes it and what it makes of the state. False if it ends the
  /// run or cannot act.
  bool happen(const EventZero& zero, Point& point, double rate_before);
  bool slides_on(const EventZero& zero);
  bool happen_together(std::span<const EventZero> zeros);
  bool act(std::size_t event, Point& point);
  bool take_state(std::size_t event, Point& point);
  void leave(std::span<const EventZero> zeros);
  void note(const EventZero& zero, const Point& before, const Point& after);
  bool refuse(std::size_t event, double t, const std::string& why);
  bool refuse_rest(std::size_t event, double t, const std::string& what);

  Stepper& stepper_;
  EventFlow flow_;
  EventZeros zeros_;
  Evaluator evaluator_;
  std::optional<StartPoints> start_points_;  ///< once an event has changed the state
  bool watches_;
  std::size_t first_watched_ = 0;
  std::vector<EventHistory> history_;
  std::vector<int> sides_;  ///< of zero on which the functions are
  std::vector<EventValues> now_, next_, at_event_values_;
  std::vector<double> sizes_;  ///< of the functions around a step
  std::vector<Stepper::Range> bounds_;
  std::vector<int> in_this_step_;
  std::vector<std::array<double, 3>> latest_;          ///< times at which it has happened
  Point chunk_, before_, begin_, at_event_, between_;  // kept, so that no step allocates
  std::vector<double> q_, v_;
  bool refused_ = false;
  std::optional<std::size_t> ended_by_;
  std::string refusal_;
  std::vector<EventOccurrence> occurrences_;
};

}  // namespace dalembert
