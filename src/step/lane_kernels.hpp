#pragma once

#include "dalembert/step/kernel.hpp"

/// The interpreter, compiled once per instruction set, on one number (width 1) or on groups of 4 or
/// 8 lanes, as many as make a block; nullptr for any other width. Call only what the machine can
/// run.
namespace dalembert::lane_kernels {

inline constexpr int small_block = 16, large_block = 64;

const Kernel* portable(int width, BlockSize size);
const Kernel* x86_64_v2(int width, BlockSize size);
const Kernel* x86_64_v3(int width, BlockSize size);
const Kernel* x86_64_v4(int width, BlockSize size);

}  // namespace dalembert::lane_kernels
