#include "dalembert/step/batch_function.hpp"

#include <algorithm>
#include <cstring>

#include "dalembert/mechanics/parameters.hpp"

namespace dalembert {
namespace {

Tape tape_of(const System& system, const Symbols& symbols, const Vector& outputs) {
  return write_tape(
      concatenate({symbols.parameter_list, Vector{symbols.t}, symbols.q, symbols.v}),
      system.traits().has_groups ? system.at(outputs, symbols.q, symbols.v, symbols.t) : outputs);
}

}  // namespace

BatchFunction::BatchFunction(const BatchStepper& batch, const Symbols& symbols,
                             const Vector& outputs, std::span<const double> parameters)
    : tape_(tape_of(batch.program().system(), symbols, outputs)),
      kernel_(&batch.kernel()),
      block_size_(batch.block_size()),
      inputs_(tape_.inputs.data() + symbols.parameter_list.size()),
      slots_(aligned_zeros(tape_.slot_count * block_size_)),
      workspace_(aligned_zeros(tape_.largest_solve * (tape_.largest_solve + 2) * block_size_)) {
  const auto fill = [this](std::uint32_t slot, double value) {
    for (std::size_t i = 0; i < block_size_; ++i)
      std::memcpy(numbers(slot) + i * sizeof value, &value, sizeof value);
  };
  for (const auto& [slot, value] : tape_.constants) fill(slot, value.as<double>());
  const std::vector<double> values = parameter_values(batch.program().system(), parameters);
  for (std::size_t i = 0; i < values.size(); ++i) fill(tape_.inputs[i], values[i]);
  kernel_->run(tape_.view(), 0, tape_.setup_end, slots_.get(), workspace_.get());
}

std::byte* BatchFunction::numbers(std::uint32_t slot) const {
  return slots_.get() + std::size_t{slot} * block_size_ * sizeof(double);
}

void BatchFunction::evaluate(const BatchStepper& batch, std::size_t block) {
  const std::size_t first = block * block_size_;
  const std::span<const double> times = batch.times().subspan(first);
  std::memcpy(numbers(inputs_[0]), times.data(),
              std::min(times.size(), block_size_) * sizeof(double));
  const StepView view = batch.program().view();
  for (std::size_t i = 0; i < view.state_count; ++i) {
    std::memcpy(numbers(inputs_[1 + i]), batch.numbers(block, view.entries[i].input),
                block_size_ * sizeof(double));
  }
  kernel_->run(tape_.view(), tape_.setup_end, tape_.code.size(), slots_.get(), workspace_.get());
}

void BatchFunction::get(std::size_t j, std::span<double> values) const {
  std::memcpy(values.data(), numbers(tape_.outputs[j]), values.size() * sizeof(double));
}

}  // namespace dalembert
