#pragma once

#include <span>
#include <vector>

#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

/// Expressions compiled for evaluation in double. Holds its own workspace: one per thread; copies
/// are independent.
class CompiledFunction {
 public:
  CompiledFunction() = default;
  /// `inputs` are symbols; the outputs may use no other symbol (std::logic_error otherwise).
  CompiledFunction(const Vector& inputs, const Vector& outputs);

  std::size_t input_count() const { return tape_.inputs.size(); }    ///< number of inputs
  std::size_t output_count() const { return tape_.outputs.size(); }  ///< number of outputs
  /// Evaluates without allocating. Sizes must match (asserted). What is undefined is nan or
  /// infinite.
  void operator()(std::span<const double> inputs, std::span<double> outputs);
  /// Evaluates into outputs that it allocates.
  std::vector<double> operator()(std::span<const double> inputs);
  const Tape& tape() const { return tape_; }  ///< code that is run

 private:
  Tape tape_;
  std::vector<double> slots_, workspace_;
};

}  // namespace dalembert
