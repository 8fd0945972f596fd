#pragma once
// Steps of a block of members. Only for the sources of this room.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/run/adaptive.hpp"
#include "dalembert/step/batch_stepper.hpp"

namespace dalembert {

/// Steps of a block of members with one step size: in lanes, or one member after the other. Holds
/// their states.
class MemberStepper {
 public:
  /// Blocks of at most `size` members.
  MemberStepper(const std::shared_ptr<const StepProgram>& program,
                std::span<const double> parameters, double h, const BatchOptions& lanes,
                std::size_t size);
  // AdaptiveAdvance refers to the stepper.
  MemberStepper(const MemberStepper&) = delete;
  MemberStepper& operator=(const MemberStepper&) = delete;

  void set_step(double h);
  /// The states of some members, in the order of `members`; the numbers of these go from 0 on.
  void load(const MemberPoints& points, std::span<const std::size_t> members);
  /// The states, but not the times, back.
  void store(MemberPoints& points, std::span<const std::size_t> members) const;
  /// The same states as those of another stepper of the same program and size.
  void copy(const MemberStepper& other);
  /// Leaves a member out of the steps from here on.
  void leave_out(std::size_t i);

  /// Steps of all members that are not left out, and their reports; those of others say nothing.
  std::span<const StepReport> advance(double start, std::uint64_t first, std::uint64_t count);

  /// Another time of all members; no step looks at it.
  void set_time(double t);
  double time(std::size_t i) const { return batch_ ? batch_->time(i) : points_[i].t; }
  /// The state of a member; valid until the next call.
  const Point& point(std::size_t i) const;
  /// Another state of a member, which takes part again.
  void set_point(std::size_t i, const Point& point);
  /// The states in lanes, one block; nullptr where there are none.
  const BatchStepper* batch() const { return batch_ ? &*batch_ : nullptr; }
  BatchStepper* batch() { return batch_ ? &*batch_ : nullptr; }

 private:
  std::optional<BatchStepper> batch_;
  mutable Point shown_;  ///< of the batch
  std::optional<Stepper> stepper_;
  std::optional<AdaptiveAdvance> divide_;
  std::vector<Point> points_;  ///< of the stepper
  std::vector<bool> is_left_out_;
  std::vector<StepReport> reports_;
};

}  // namespace dalembert
