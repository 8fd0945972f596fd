#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "dalembert/expression/tape/interpreter.hpp"
#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

/// Expressions compiled for evaluation in any number type; see CompiledFunction for double.
template <class Number>
class NumberFunction {
 public:
  NumberFunction() = default;
  NumberFunction(const Vector& inputs, const Vector& outputs)
      : tape_(write_tape(inputs, outputs)),
        slots_(tape_.slot_count, Number(0.0)),
        workspace_(tape_.largest_solve * (tape_.largest_solve + 2), Number(0.0)) {
    for (const auto& [slot, value] : tape_.constants) slots_[slot] = value.template as<Number>();
    run(0, tape_.setup_end);
  }

  /// Values of the outputs; there are as many inputs as `input_count()`.
  std::vector<Number> operator()(const std::vector<Number>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) slots_[tape_.inputs[i]] = inputs[i];
    run(tape_.setup_end, tape_.code.size());
    std::vector<Number> outputs;
    for (const std::uint32_t slot : tape_.outputs) outputs.push_back(slots_[slot]);
    return outputs;
  }

  std::size_t input_count() const { return tape_.inputs.size(); }    ///< number of inputs
  std::size_t output_count() const { return tape_.outputs.size(); }  ///< number of outputs
  /// Evaluates without allocating; `inputs` in several parts, one after the other.
  void operator()(std::initializer_list<std::span<const Number>> inputs,
                  std::span<Number> outputs) {
    std::size_t next = 0;
    for (const std::span<const Number> part : inputs) {
      for (const Number& value : part) slots_[tape_.inputs[next++]] = value;
    }
    run(tape_.setup_end, tape_.code.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = slots_[tape_.outputs[i]];
  }

 private:
  void run(std::size_t begin, std::size_t end) {
    run_tape<Number>(tape_.view(), begin, end, slots_.data(), workspace_.data());
  }

  Tape tape_;
  std::vector<Number> slots_, workspace_;
};

}  // namespace dalembert
