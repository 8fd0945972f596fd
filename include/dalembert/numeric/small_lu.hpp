#pragma once
/// \file
/// LU factorization with partial pivoting of small dense matrices, for one number or for lanes, in
/// the caller's storage. Each lane chooses its own pivots and gets the same bits as one `double`.

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// How a factorization went, per lane.
template <class T>
struct PivotReport {
  /// Smallest over largest magnitude of a pivot: about 1 over the condition number for a matrix
  /// without bad scaling; 0 if singular.
  T pivot_ratio;
  /// Where a pivot is zero or not finite; there the solution is inf or nan. Other lanes are fine.
  mask_of<T> singular;
};

namespace detail {

/// Follows the smallest and the largest pivot.
template <class T>
struct PivotRange {
  T smallest = T(infinity), largest = T(0.0);
  mask_of<T> singular = mask_of<T>(false);

  DALEMBERT_ALWAYS_INLINE void add(const T& magnitude) {
    smallest = select(magnitude < smallest, magnitude, smallest);
    largest = select(largest < magnitude, magnitude, largest);
    const mask_of<T> positive = magnitude > T(0.0), finite = magnitude < T(infinity);
    singular = singular | !(positive & finite);
  }
  DALEMBERT_ALWAYS_INLINE PivotReport<T> report() const {
    const mask_of<T> none_seen = largest == T(0.0);
    const T ratio = smallest / select(none_seen, T(1.0), largest);
    return {select(singular, T(0.0), select(none_seen, T(1.0), ratio)), singular};
  }
};

/// Exchanges a and b where the mask says so.
template <class T>
DALEMBERT_ALWAYS_INLINE void exchange(const mask_of<T>& where, T& a, T& b) {
  const T old = a;
  a = select(where, b, old);
  b = select(where, old, b);
}

/// Exchanges, in each lane, row `row` with the row below it that `pivot` names in that lane.
template <class T>
inline void exchange_rows(int n, int row, const T& pivot, T* rows, int columns) {
  if (all(pivot == T(static_cast<double>(row)))) return;
  for (int i = row + 1; i < n; ++i) {
    const mask_of<T> here = pivot == T(static_cast<double>(i));
    if (!any(here)) continue;
    for (int j = 0; j < columns; ++j)
      exchange<T>(here, rows[row * columns + j], rows[i * columns + j]);
  }
}

}  // namespace detail

/// Replaces the n x n matrix a (row-major) by its factors: P a = L U. L has a unit diagonal and is
/// stored below it; of U the diagonal is stored as reciprocals. pivot[k] (n values) receives the
/// row that was exchanged with row k, as a number, per lane.
/// Backward stable but for the growth factor; a singular lane never disturbs another.
template <class T>
[[nodiscard]] inline PivotReport<T> lu_factor(int n, T* a, T* pivot) {
  detail::PivotRange<T> range;
  for (int k = 0; k < n; ++k) {
    T largest = abs(a[k * n + k]), row = T(static_cast<double>(k));
    for (int i = k + 1; i < n; ++i) {
      const T candidate = abs(a[i * n + k]);
      const mask_of<T> better = candidate > largest;
      largest = select(better, candidate, largest);
      row = select(better, T(static_cast<double>(i)), row);
    }
    pivot[k] = row;
    detail::exchange_rows(n, k, row, a, n);
    range.add(largest);
    const T reciprocal = T(1.0) / a[k * n + k];
    a[k * n + k] = reciprocal;
    for (int i = k + 1; i < n; ++i) {
      const T factor = a[i * n + k] * reciprocal;
      a[i * n + k] = factor;
      for (int j = k + 1; j < n; ++j) a[i * n + j] = a[i * n + j] - factor * a[k * n + j];
    }
  }
  return range.report();
}

/// Solves a x = b for `columns` right-hand sides at once: b is n x columns, row-major, and is
/// replaced by x. Takes what `lu_factor` left in a and pivot; where that was singular x is inf or
/// nan.
template <class T>
inline void lu_solve(int n, const T* a, const T* pivot, T* b, int columns = 1) {
  for (int k = 0; k < n; ++k) detail::exchange_rows(n, k, pivot[k], b, columns);
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k)
      for (int j = 0; j < columns; ++j)
        b[i * columns + j] = b[i * columns + j] - a[i * n + k] * b[k * columns + j];
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k)
      for (int j = 0; j < columns; ++j)
        b[i * columns + j] = b[i * columns + j] - a[i * n + k] * b[k * columns + j];
    for (int j = 0; j < columns; ++j) b[i * columns + j] = b[i * columns + j] * a[i * n + i];
  }
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
