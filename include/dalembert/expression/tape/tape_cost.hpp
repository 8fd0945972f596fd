#pragma once

#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

/// Costs of instructions, in any unit. `simple` ones are signs, sums, products and choices by a
/// sign; `other` ones are functions. A linear system of n unknowns costs `system`, n^3/3 times
/// `cube` where it is factorized and n^2 times `square` where that is used.
struct InstructionCosts {
  double copy, simple, quotient, sine_cosine, other, system, square, cube;  ///< costs, as above
};

/// Cost of the instructions [begin, end), each taken once.
double cost_of(const Tape& tape, std::size_t begin, std::size_t end, const InstructionCosts& costs);

}  // namespace dalembert
