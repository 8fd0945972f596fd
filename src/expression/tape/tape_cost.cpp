#include "dalembert/expression/tape/tape_cost.hpp"

namespace dalembert {
namespace {

double cost_of(const Instruction& line, const InstructionCosts& costs) {
  const auto n = static_cast<double>(line.b);  // of a linear system
  const double factored = n * n * n / 3.0 * costs.cube, used = n * n * costs.square;
  switch (line.operation) {
    case TapeOperation::copy:
      return costs.copy;
    case TapeOperation::negate:
    case TapeOperation::add:
    case TapeOperation::subtract:
    case TapeOperation::multiply:
    case TapeOperation::multiply_add:
    case TapeOperation::multiply_subtract:
    case TapeOperation::negative_multiply_add:
    case TapeOperation::where_nonnegative:
    case TapeOperation::where_negative:
      return costs.simple;
    case TapeOperation::divide:
      return costs.quotient;
    case TapeOperation::sine_cosine:
      return costs.sine_cosine;
    case TapeOperation::solve:
      return costs.system + factored + used;
    case TapeOperation::factor:
      return costs.system + factored;
    case TapeOperation::substitute:
      return costs.system + used;
    default:
      return costs.other;
  }
}

}  // namespace

double cost_of(const Tape& tape, std::size_t begin, std::size_t end,
               const InstructionCosts& costs) {
  double sum = 0.0;
  for (std::size_t k = begin; k < end; ++k) sum += cost_of(tape.code[k], costs);
  return sum;
}

}  // namespace dalembert
