#pragma once

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// The solution x of `matrix * x = right_side` as expressions. Pivots whose value is provably
/// non-zero for every admissible value of the symbols are eliminated symbolically, sparsest first;
/// a last 1 x 1 system becomes a division, and what is left beyond becomes a `solve` node with
/// numeric pivoting. A structurally singular matrix throws std::domain_error.
Vector solve_linear(const Matrix& matrix, const Vector& right_side);
/// The same for several right-hand sides, the columns of `right_sides`.
Matrix solve_linear(const Matrix& matrix, const Matrix& right_sides);

}  // namespace dalembert
