#pragma once

#include "dalembert/step/kernel.hpp"

namespace dalembert {

/// A kernel for a step program that may become ready while steppers, or batches, run with another:
/// compiled code. Any number of them share one.
class LaterKernel {
 public:
  LaterKernel() = default;
  LaterKernel(const LaterKernel&) = delete;
  LaterKernel& operator=(const LaterKernel&) = delete;
  virtual ~LaterKernel() = default;

  /// The kernel, nullptr as long as there is none. It lives as long as this object. From any
  /// thread.
  virtual const Kernel* kernel() const = 0;
  /// True if `kernel` will not change any more.
  virtual bool is_settled() const = 0;
};

}  // namespace dalembert
