#pragma once
/// \file
/// Step kernels on lanes, compiled once per instruction set. Only plain data and pointers cross
/// these functions: a library container instantiated in a unit for newer machines could be the copy
/// that the linker keeps for all.

#include "dalembert/step/step_view.hpp"

namespace dalembert {

/// The kernels for blocks of `members` trajectories, `width` in a group of lanes. Slot i of member
/// m of a block is double number i * members + m, from an address that is a multiple of 64 bytes.
struct LaneKernel {
  int width;
  int members;
  void (*set_up)(const StepView& view, void* slots, void* workspace);
  void (*advance)(const StepView& view, void* slots, void* workspace, std::uint64_t first,
                  std::uint64_t steps, AdvanceReport* reports);
};

/// The kernel of one instruction set for groups of 4 or 8 lanes; nullptr for any other width. Call
/// only what the machine can run.
namespace lane_kernels {
const LaneKernel* portable(int width);
const LaneKernel* x86_64_v2(int width);
const LaneKernel* x86_64_v3(int width);
const LaneKernel* x86_64_v4(int width);
}  // namespace lane_kernels

}  // namespace dalembert
