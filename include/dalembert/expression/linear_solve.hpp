#pragma once

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// The solution x of `matrix * x = right_side` as expressions. Pivots whose value is provably
/// non-zero for every admissible value of the symbols are eliminated symbolically, sparsest first;
/// a last 1 x 1 system becomes a division, and what is left beyond becomes a `solve` node with
/// numeric pivoting. Of more than 16 rows, mass matrices and saddle point matrices with many zeros
/// are eliminated in a sparse order, without pivoting (see symmetric_order). A structurally
/// singular matrix throws std::domain_error.
Vector solve_linear(const Matrix& matrix, const Vector& right_side);
/// Solutions for several right-hand sides, the columns of `right_sides`.
Matrix solve_linear(const Matrix& matrix, const Matrix& right_sides);
/// Solutions with pivots by what is provable of them, whatever the size.
Matrix solve_densely(const Matrix& matrix, const Matrix& right_sides);

/// The solution by one numeric solve with pivoting of the whole matrix, whatever is known of its
/// entries.
Vector solve_by_pivoting(const Matrix& matrix, const Vector& right_side);

/// An entry of a matrix to eliminate with.
struct Pivot {
  std::size_t row, column;  ///< indices from 0
};

/// Linear system for the unknowns `columns` that is left after elimination.
struct SchurComplement {
  Matrix matrix;                           ///< rows x columns, as listed below
  Vector right_side;                       ///< one entry per row
  std::vector<std::size_t> rows, columns;  ///< indices in the original system, ascending
};

/// Eliminates with the given entries, sparsest first. They must be non-zero, and form a triangular
/// matrix in some order of their rows and columns, so that none changes before its turn.
SchurComplement eliminate(const Matrix& matrix, const Vector& right_side,
                          std::vector<Pivot> pivots);

}  // namespace dalembert
