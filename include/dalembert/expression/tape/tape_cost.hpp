#pragma once

#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

/// Costs of instructions, in any unit. A linear system of n unknowns costs `system`, n^3/3 times
/// `cube` where it is factorized and n^2 times `square` where that is used.
struct InstructionCosts {
  double copy, simple, quotient, sine_cosine, other, system, square, cube;
};

/// The cost of a stretch of instructions, each taken once.
double cost_of(const Tape& tape, std::size_t begin, std::size_t end, const InstructionCosts& costs);

}  // namespace dalembert
