#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dalembert/step/batch_stepper.hpp"

namespace dalembert {

/// Functions of the state for all members of a block of a batch at once, in lanes: the bits of a
/// `StateFunction` at each state alone. Calls do not allocate. One per thread.
class BatchFunction {
 public:
  /// `outputs` are expressions in `symbols`, those of the batch's system. For batches with blocks
  /// of the same instruction set, width and size. Parameters in the order of the description, the
  /// defaults if empty; RequestError if their number is wrong.
  BatchFunction(const BatchStepper& batch, const Symbols& symbols, const Vector& outputs,
                std::span<const double> parameters = {});

  std::size_t output_count() const { return tape_.outputs.size(); }  ///< number of outputs
  /// Computes the outputs at the states of a block.
  void evaluate(const BatchStepper& batch, std::size_t block = 0);
  /// Output number j there into `values`, of the first members of the block.
  void get(std::size_t j, std::span<double> values) const;

 private:
  std::byte* numbers(std::uint32_t slot) const;

  Tape tape_;
  const Kernel* kernel_;
  std::size_t block_size_;
  const std::uint32_t* inputs_;  ///< slots of t, q, v
  AlignedBytes slots_, workspace_;
};

}  // namespace dalembert
