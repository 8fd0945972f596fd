#pragma once
/// \file
/// LU factorization with partial pivoting of small dense matrices, for one number or for lanes, in
/// the caller's storage. Each lane chooses its own pivots and gets the same bits as one `double`.

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// Outcome of a factorization, per lane.
template <class T>
struct PivotReport {
  /// Smallest over largest magnitude of a pivot: about 1 over the condition number for a matrix
  /// without bad scaling; 0 if singular.
  T pivot_ratio;
  /// True where a pivot is zero or not finite; there the solution is inf or nan. Other lanes are
  /// fine.
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

}  // namespace detail

#include "dalembert/numeric/arithmetic/linear.h"

/// Replaces the n x n matrix a (row-major) by its factors: P a = L U. L has a unit diagonal and is
/// stored below it; of U the diagonal is stored as reciprocals. pivot[k] (n values) receives the
/// row that was exchanged with row k, as a number, per lane.
/// Backward stable but for the growth factor; a singular lane never disturbs another.
template <class T>
[[nodiscard]] inline PivotReport<T> lu_factor(int n, T* a, T* pivot) {
  detail::PivotRange<T> range;
  for (int k = 0; k < n; ++k) range.add(lu_factor_column(n, k, a, pivot));
  return range.report();
}

/// Solves a x = b for `columns` right-hand sides at once: b is n x columns, row-major, and is
/// replaced by x. Takes what `lu_factor` left in a and pivot; where that was singular x is inf or
/// nan.
template <class T>
inline void lu_solve(int n, const T* a, const T* pivot, T* b, int columns = 1) {
  lu_solve_columns(n, a, pivot, b, columns);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
