#include "dalembert/run/event/member_events.hpp"

namespace dalembert {
namespace {

Stepper stepper_for(std::shared_ptr<const StepProgram> program, double h,
                    std::span<const double> parameters,
                    std::optional<InstructionSet> instruction_set) {
  Stepper stepper(std::move(program), h, parameters);
  if (instruction_set) stepper.set_kernel(number_kernel(*instruction_set));
  return stepper;
}

}  // namespace

MemberEvents::MemberEvents(std::shared_ptr<const StepProgram> program, const EventFunctions& events,
                           std::span<const double> parameters, double h,
                           std::optional<InstructionSet> instruction_set)
    : stepper_(stepper_for(std::move(program), h, parameters, instruction_set)),
      advance_(stepper_, events, parameters) {}

void MemberEvents::watch(BatchStepper& batch, std::size_t member, const Point& point) {
  advance_.forget();
  const std::span<const Stepper::Range> bounds = advance_.bounds_from(point);
  for (std::size_t i = 0; i < bounds.size(); ++i)
    batch.set_bounds(member, advance_.first_watched() + i, bounds[i]);
}

bool MemberEvents::may_have_happened(const BatchStepper& batch, std::size_t member,
                                     const Point& before, const Point& after) {
  const std::size_t count = 2 * advance_.events().size();
  for (std::size_t i = 0; i < count; ++i)
    if (batch.was_out_of_bounds(member, advance_.first_watched() + i)) return true;
  advance_.forget();
  return advance_.may_have_happened(before, after, false);
}

bool MemberEvents::may_have_happened(const Point& before, const Point& after) {
  advance_.forget();
  return advance_.may_have_happened(before, after, true);
}

StepReport MemberEvents::advance(Point& point, double start, std::uint64_t first,
                                 std::uint64_t steps) {
  advance_.forget();
  const StepReport report = advance_(point, start, first, steps);
  static_cast<void>(advance_.take());
  return report;
}

StepReport MemberEvents::advance_to(Point& point, double end) {
  advance_.forget();
  const StepReport report = advance_.advance_to(point, end);
  static_cast<void>(advance_.take());
  return report;
}

}  // namespace dalembert
