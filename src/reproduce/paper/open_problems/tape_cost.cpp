#include "tape_cost.hpp"

#include <cmath>

#include "dalembert/run/integrate.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

double operation_cost(const Instruction& instruction) {
  const double size = instruction.b;  // of a linear system
  switch (instruction.operation) {
    case TapeOperation::copy:
      return 0.0;
    case TapeOperation::negate:
    case TapeOperation::add:
    case TapeOperation::subtract:
    case TapeOperation::multiply:
    case TapeOperation::multiply_add:
    case TapeOperation::multiply_subtract:
    case TapeOperation::negative_multiply_add:
    case TapeOperation::where_nonnegative:
    case TapeOperation::where_negative:
      return 1.0;
    case TapeOperation::divide:
      return 4.0;
    case TapeOperation::solve:
      return size * size * size / 3.0 + size * size;
    case TapeOperation::factor:
      return size * size * size / 3.0;
    case TapeOperation::substitute:
      return size * size;
    default:
      return 20.0;
  }
}

double cost_of_lines(const Tape& tape, std::size_t begin, std::size_t end) {
  double sum = 0.0;
  for (std::size_t k = begin; k < end; ++k) sum += operation_cost(tape.code[k]);
  return sum;
}

/// A matrix that is kept is computed once a step.
double section_cost(const Tape& tape, const TapeSection& section, double passes) {
  const double lines = cost_of_lines(tape, section.begin, section.end);
  if (section.loop < 0) return lines;
  const TapeLoop& loop = tape.loops[static_cast<std::size_t>(section.loop)];
  const double once =
      loop.keeps_matrix() ? cost_of_lines(tape, loop.matrix_begin, loop.matrix_end) : 0.0;
  return (lines - once) * passes + once;
}

}  // namespace

double step_cost(const RunPlan& plan, double step, double until) {
  const Tape& tape = plan.program->tape();
  Stepper stepper(plan.program, step, plan.parameters);
  Evaluator evaluator(plan.system, plan.parameters);
  Point point = start_point(stepper, evaluator, plan.q, plan.v);
  const auto steps = static_cast<std::uint64_t>(std::llround(until / step));
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = steps, .observe_every = steps},
                [](const Sample&) { return true; });
  if (report.status != RunReport::Status::ok) return NAN;
  const double loops = std::max<double>(1.0, static_cast<double>(tape.loops.size()));
  const double passes =
      static_cast<double>(report.iterations) / (static_cast<double>(steps) * loops);
  double cost = 0.0;
  for (const TapeSection& section : tape.sections) cost += section_cost(tape, section, passes);
  return cost;
}

}  // namespace dalembert::reproduce
