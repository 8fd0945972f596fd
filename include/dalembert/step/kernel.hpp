#pragma once
/// \file
/// The seam between a compiled step and the code that runs it. Only plain data and pointers cross
/// it: a library container instantiated in a unit for newer machines could be the copy that the
/// linker keeps for all.

#include <cstddef>
#include <cstdint>

#include "dalembert/step/instruction_set.hpp"
#include "dalembert/step/step_view.hpp"

namespace dalembert {

/// Code that runs the steps of a block of trajectories: the interpreter on one number, on lanes of
/// an instruction set, or any other code that leaves the same bits. Slot i of member m of a block
/// is double number i * members + m, from an address that is a multiple of 64 bytes if there is
/// more than one member; the workspace, aligned likewise, has `StepProgram::workspace_size()`
/// numbers for each member.
struct Kernel {
  int width = 1;    ///< trajectories in one vector
  int members = 1;  ///< trajectories in one block
  /// Runs the setup part of the tape: once after parameters or the step size have changed.
  void (*set_up)(const StepView& view, void* slots, void* workspace) = nullptr;
  /// Takes `steps` steps from step number `first` on. A member whose step is refused keeps the
  /// state before it, and its steps, status and residual are left in `reports` (one per member);
  /// the others go on. Members whose report is not ok at the beginning take no part. A kernel of
  /// one member that is told to watch ends before a step from a state outside of the bounds; its
  /// report is ok. A kernel of one member whose `set_up` is the interpreter's may leave a step to
  /// that: it ends before it, and says so. No allocation and no exception.
  void (*advance)(const StepView& view, void* slots, void* workspace, std::uint64_t first,
                  std::uint64_t steps, AdvanceReport* reports) = nullptr;
  /// Runs instructions [begin, end) of any tape on slots that lie likewise; the workspace has as
  /// many numbers for each member as the tape's linear systems need. Interpreters only.
  void (*run)(const TapeView& tape, std::size_t begin, std::size_t end, void* slots,
              void* workspace) = nullptr;
};

/// The interpreter on one double. RequestError for a set that is not among
/// `available_instruction_sets()`.
const Kernel& number_kernel(InstructionSet set = InstructionSet::portable);

/// Number of trajectories in a block of lanes: 16 or 64. An instruction is read once for a block;
/// numbers of large ones need more of the cache.
enum class BlockSize : std::uint8_t { small, large };

/// The interpreter on vectors of 4 or 8 doubles, 0: as many as suit the set. RequestError for
/// another width, and for a set that is not among `available_instruction_sets()`.
const Kernel& lane_kernel(InstructionSet set, int width = 0, BlockSize size = BlockSize::small);

/// The size that suits programs with so many slots and so many trajectories.
BlockSize suggested_block(std::size_t slots, std::size_t members);

}  // namespace dalembert
