#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/step/batch_stepper.hpp"

namespace dalembert {

/// Events of the members of a block. In lanes the kernel watches the functions of all members at
/// once; a member for which something may have happened takes the same steps once more by itself,
/// as a single run does, and stops by itself: the bits are those of single runs. One per thread.
class MemberEvents {
 public:
  /// RequestError as EventAdvance.
  MemberEvents(std::shared_ptr<const StepProgram> program, const EventFunctions& events,
               std::span<const double> parameters, double h,
               std::optional<InstructionSet> instruction_set);

  /// Steps after which members are looked at, where a batch watches.
  static constexpr std::uint64_t steps_between_looks = 32;
  /// Sets the bounds of a batch for a member that is about to take steps from a point.
  void watch(BatchStepper& batch, std::size_t member, const Point& point);
  /// True if something may have happened to a member of the batch between the two points.
  bool may_have_happened(const BatchStepper& batch, std::size_t member, const Point& before,
                         const Point& after);
  /// True if something may have happened in one step of whatever size, without a batch.
  bool may_have_happened(const Point& before, const Point& after);

  /// As EventAdvance, of a member at this point.
  [[nodiscard]] StepReport advance(Point& point, double start, std::uint64_t first,
                                   std::uint64_t steps);
  /// One step of a member to `end` > point.t, as EventAdvance::advance_to.
  [[nodiscard]] StepReport advance_to(Point& point, double end);
  /// The event that has ended the member that was advanced last.
  std::optional<std::size_t> ended_by() const { return advance_.ended_by(); }
  /// Event number i of the run.
  const Event& event(std::size_t i) const { return advance_.events().event(i); }

 private:
  Stepper stepper_;
  EventAdvance advance_;
};

}  // namespace dalembert
