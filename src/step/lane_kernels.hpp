#pragma once

#include "dalembert/step/kernel.hpp"

/// The interpreter, compiled once per instruction set, on one number (width 1) or on groups of 4 or
/// 8 lanes; nullptr for any other width. Call only what the machine can run.
namespace dalembert::lane_kernels {

const Kernel* portable(int width);
const Kernel* x86_64_v2(int width);
const Kernel* x86_64_v3(int width);
const Kernel* x86_64_v4(int width);

}  // namespace dalembert::lane_kernels
