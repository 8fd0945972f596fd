#include "dalembert/expression/tape/compiled_function.hpp"

#include <algorithm>
#include <cassert>

#include "dalembert/expression/tape/interpreter.hpp"

namespace dalembert {

CompiledFunction::CompiledFunction(const Vector& inputs, const Vector& outputs)
    : tape_(write_tape(inputs, outputs)),
      slots_(tape_.slot_count),
      workspace_(tape_.largest_solve * (tape_.largest_solve + 2)) {
  for (const auto& [slot, value] : tape_.constants) slots_[slot] = value.as<double>();
  run_tape<double>(tape_.view(), 0, tape_.setup_end, slots_.data(), workspace_.data());
}

void CompiledFunction::operator()(std::span<const double> inputs, std::span<double> outputs) {
  assert(inputs.size() == tape_.inputs.size() && outputs.size() == tape_.outputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) slots_[tape_.inputs[i]] = inputs[i];
  run_tape<double>(tape_.view(), tape_.setup_end, tape_.code.size(), slots_.data(),
                   workspace_.data());
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = slots_[tape_.outputs[i]];
}

std::vector<double> CompiledFunction::operator()(std::span<const double> inputs) {
  std::vector<double> outputs(tape_.outputs.size());
  (*this)(inputs, outputs);
  return outputs;
}

}  // namespace dalembert
