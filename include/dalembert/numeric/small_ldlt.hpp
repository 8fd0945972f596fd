#pragma once
/// \file
/// Factorization L D L^T of small dense symmetric positive definite matrices (mass matrices), for
/// one number or for lanes, without pivoting and without square roots.

#include "dalembert/numeric/small_lu.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// Replaces the lower triangle of the symmetric n x n matrix a (row-major; what stands above the
/// diagonal is neither read nor written) by L below the diagonal and 1/D on it.
/// `singular` in the report means not positive definite to working precision: some entry of D is
/// not a positive finite number. A merely indefinite lane still holds a (possibly inaccurate)
/// factorization. Backward stable for positive definite matrices.
template <class T>
[[nodiscard]] inline PivotReport<T> ldlt_factor(int n, T* a) {
  detail::PivotRange<T> range;
  for (int k = 0; k < n; ++k) {
    range.add(a[k * n + k]);
    const T reciprocal = T(1.0) / a[k * n + k];
    a[k * n + k] = reciprocal;
    // Column k still holds L D; row i of the remainder needs (L D)_i (L D)_j / D, so scale an entry
    // of the column only after its row is done.
    for (int i = k + 1; i < n; ++i) {
      const T factor = a[i * n + k] * reciprocal;
      for (int j = k + 1; j < i; ++j) a[i * n + j] = a[i * n + j] - a[i * n + k] * a[j * n + k];
      a[i * n + i] = a[i * n + i] - factor * a[i * n + k];
      a[i * n + k] = factor;
    }
  }
  return range.report();
}

/// Solves a x = b for `columns` right-hand sides at once: b is n x columns, row-major, and is
/// replaced by x. Takes what `ldlt_factor` left in a.
template <class T>
inline void ldlt_solve(int n, const T* a, T* b, int columns = 1) {
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k)
      for (int j = 0; j < columns; ++j)
        b[i * columns + j] = b[i * columns + j] - a[i * n + k] * b[k * columns + j];
  for (int i = n - 1; i >= 0; --i) {
    for (int j = 0; j < columns; ++j) b[i * columns + j] = b[i * columns + j] * a[i * n + i];
    for (int k = i + 1; k < n; ++k)
      for (int j = 0; j < columns; ++j)
        b[i * columns + j] = b[i * columns + j] - a[k * n + i] * b[k * columns + j];
  }
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
