#include "step_cost.hpp"

#include <algorithm>

#include "dalembert/expression/tape/tape_cost.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {
namespace {

/// Nanoseconds of instructions, from least squares over seven methods on all problems of the
/// library: for nine methods in ten that choose_step would compare the sum is within 0.7 and 1.4
/// times the time (bench/automatic_methods.cpp prints the ratios).
constexpr InstructionCosts of_number{.copy = 0.7,
                                     .simple = 0.7,
                                     .quotient = 3.0,
                                     .sine_cosine = 10.6,
                                     .other = 16.9,
                                     .system = 51.0,
                                     .square = 0.5,
                                     .cube = 0.03},
    of_eight_stages{.copy = 1.6,
                    .simple = 1.6,
                    .quotient = 1.6,
                    .sine_cosine = 12.7,
                    .other = 27.6,
                    .system = 12.0,
                    .square = 1.55,
                    .cube = 1.55};
constexpr double of_entry = 3.2, of_step = 19.0, of_sweep = 34.0, of_rate = 1.15,
                 of_newton_pass = 47.0, of_substep = 120.0;
constexpr double stages_together = 8.0;

double cost_of(const Tape& tape, const TapeSection& section, const InstructionCosts& costs) {
  return dalembert::cost_of(tape, section.begin, section.end, costs);
}

/// Adds the cost of stages that are swept together, as they lie in lanes.
void add_stages(const TapeStages& stages, StepCost& cost) {
  const auto count = static_cast<double>(stages.nodes.size());
  const double vectors = numeric::larger(1.0, count / stages_together);
  const auto iterating = static_cast<double>(
      std::count_if(stages.blocks.begin(), stages.blocks.end(),
                    [](const TapeStages::Block& block) { return block.iterates; }));
  const Tape& rates = *stages.rates;
  const auto lines = [&](std::size_t section) {
    return vectors * cost_of(rates, rates.sections[section], of_eight_stages);
  };
  for (const TapeStages::Block& block : stages.blocks) {
    double sweep = of_sweep;
    for (std::size_t part = block.part_begin; part < block.part_end; ++part) {
      cost.step += lines(2 * part);
      sweep +=
          lines(2 * part + 1) +
          of_rate * count * static_cast<double>(stages.parts[part].end - stages.parts[part].begin);
    }
    if (block.iterates) {
      cost.pass += sweep / iterating;
    } else {
      cost.step += sweep;
      cost.counted_passes += 1.0;
    }
  }
}

}  // namespace

StepCost step_cost(const StepProgram& program, bool divides) {
  const Tape& tape = program.tape();
  StepCost cost{of_step + of_entry * static_cast<double>(program.entries().size()), 0.0};
  double loops = 0.0, loop_cost = 0.0;
  for (const TapeSection& section : tape.sections) {
    if (section.is_fallback) continue;
    if (section.stages >= 0) {
      add_stages(tape.stages[static_cast<std::size_t>(section.stages)], cost);
    } else if (section.loop >= 0) {
      loop_cost += of_newton_pass + cost_of(tape, section, of_number);
      loops += 1.0;
    } else {
      cost.step += cost_of(tape, section, of_number);
    }
  }
  if (loops > 0.0) cost.pass += loop_cost / loops;
  if (divides) cost.step += of_substep;
  return cost;
}

}  // namespace dalembert::study
