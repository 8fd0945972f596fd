#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/step/detail/aligned_bytes.hpp"
#include "dalembert/step/instruction_set.hpp"
#include "dalembert/step/later_kernel.hpp"
#include "dalembert/step/member_points.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// Choices of a batch. No choice changes a bit of the results.
struct BatchOptions {
  std::optional<InstructionSet> instruction_set = {};  ///< the best of this machine unless given
  int width = 0;  ///< trajectories in one vector of the kernel, 4 or 8; 0: as the set suggests
  std::optional<BlockSize> block = {};  ///< as suits the program and the number of members
  int threads = 1;                      ///< threads that share the blocks during `advance`
};

/// Takes steps of many trajectories of one program at once: each instruction of the tape is read
/// once for a block of trajectories, which sit in the lanes of vector registers. Every member does,
/// bit for bit, what a `Stepper` does with it alone. Members share the step size; each has its own
/// state and parameters.
///
/// A member whose step is refused keeps the state before that step and takes no further part until
/// it is given a new point; the others go on. After construction nothing allocates, but for the
/// threads if there are several, and nothing throws during `advance`.
class BatchStepper {
 public:
  /// Parameters are those of the system's description until set. Throws RequestError for
  /// zero members, a width or number of threads that is not admissible, and an instruction set that
  /// is not among `available_instruction_sets()`.
  BatchStepper(std::shared_ptr<const StepProgram> program, std::size_t members, double h,
               const BatchOptions& options = {});

  const StepProgram& program() const { return *program_; }             ///< compiled method
  std::size_t size() const { return size_; }                           ///< number of members
  InstructionSet instruction_set() const { return instruction_set_; }  ///< as chosen, or the best
  /// Trajectories in one vector.
  int width() const;
  std::size_t block_size() const;  ///< trajectories in one block

  /// New parameters of one member, in the order of the system's description; RequestError if their
  /// number is wrong, or if there is no such member.
  void set_parameters(std::size_t member, std::span<const double> parameters);
  /// New parameters of all members.
  void set_parameters(std::span<const double> parameters);
  void set_step(double h);  ///< step size of all members from now on

  /// Gives a member a state, such as `make_point(program, q, v)` or what `start_point` returns;
  /// RequestError if its sizes are not those of the program. Clears a failure.
  void set_point(std::size_t member, const Point& point);
  /// State and time of a member; RequestError if there is no such member.
  Point point(std::size_t member) const;
  /// Copies state and time of a member into a point that has the right sizes, without allocating.
  void get_point(std::size_t member, Point& point) const;

  /// Gives member i of the batch the state of number members[i] among `points`, which are of the
  /// same program: of one member at least, and of as many as the batch has at most. Those beyond
  /// do as the last of them does.
  void set_points(const MemberPoints& points, std::span<const std::size_t> members);
  /// The states, but not the times, back into such points.
  void get_points(MemberPoints& points, std::span<const std::size_t> members) const;
  /// Takes the states of a batch of the same program, size and blocks.
  void copy_points(const BatchStepper& other);
  /// A member takes no part until it is given a new point; its report says that it was refused.
  void leave_out(std::size_t member);
  /// From now on it is noticed where what a program watches is out of bounds, at states that steps
  /// begin with, or not any more. Members go on all the same.
  void watch(bool on);
  /// Bounds of a member from now on, within which it is taken to be.
  void set_bounds(std::size_t member, std::size_t quantity, const Stepper::Range& bounds);
  /// True if the quantity was out of bounds in a state since the bounds of the member were set.
  bool was_out_of_bounds(std::size_t member, std::size_t quantity) const;

  double time(std::size_t member) const { return time_[member]; }  ///< time of a member
  std::span<const double> times() const { return time_; }          ///< of all members, [size()]
  /// Time of all members; no step looks at it.
  void set_time(double t) { time_.assign(time_.size(), t); }

  /// Changes over to another kernel as soon as it is there and if its results on some steps of the
  /// first block are bitwise identical. RequestError for one of another `block_size()`.
  void switch_when_ready(std::shared_ptr<const LaterKernel> later);
  bool is_waiting() const { return is_waiting_; }      ///< true if another kernel may still come
  bool has_switched() const { return has_switched_; }  ///< true once another kernel was taken

  /// Kernel in use.
  const Kernel& kernel() const { return *kernel_; }
  /// Raw doubles of one slot of a block, member by member, [block_size()].
  const std::byte* numbers(std::size_t block, std::uint32_t slot) const {
    return slot_bytes(block * block_size(), slot);
  }

  /// `steps` steps of every member that has not failed, where step number k (counted from `first`)
  /// starts at start + k h. Returns one report per member, valid until the next call: the steps
  /// taken in this call; a member that failed in an earlier call keeps its status and takes none.
  /// `iterations` counts the passes that the member would need alone.
  [[nodiscard]] std::span<const StepReport> advance(double start, std::uint64_t first,
                                                    std::uint64_t steps);

 private:
  std::byte* block_slots(std::size_t block) const;
  std::byte* slot_bytes(std::size_t member, std::uint32_t slot) const;
  double get(std::size_t member, std::uint32_t slot) const;
  void put(std::size_t member, std::uint32_t slot, double value);
  void put_everywhere(std::uint32_t slot, double value);
  std::size_t places_end(std::size_t member) const;
  template <class Visit>
  void for_each_block(Visit visit) const;
  void check_member(std::size_t member) const;
  void advance_blocks(std::size_t thread, std::uint64_t first, std::uint64_t steps);
  void try_to_switch(std::uint64_t first);
  /// Some steps of the first block, on numbers of its own.
  void try_kernel(const Kernel& kernel, std::byte* slots, std::span<StepReport> reports,
                  std::uint64_t first);

  std::shared_ptr<const StepProgram> program_;
  InstructionSet instruction_set_;
  const Kernel* kernel_;
  std::size_t size_, blocks_, threads_;
  std::size_t filled_;  // members that have states of their own
  std::vector<std::uint32_t> state_slots_;
  AlignedBytes slots_, workspace_;
  std::vector<double> time_;
  std::vector<StepReport> reports_;  // of whole blocks
  double h_;
  bool ready_ = false;
  std::shared_ptr<const LaterKernel> later_;
  bool is_waiting_ = false, has_switched_ = false;
  AlignedBytes trial_;  // two blocks
  std::vector<StepReport> trial_reports_;
};

}  // namespace dalembert
