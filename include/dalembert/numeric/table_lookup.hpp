#pragma once
/// \file
/// Piecewise polynomials of degree three, held constant outside their knots.

#include <cstddef>

#include "dalembert/numeric/lanes.hpp"

namespace dalembert::numeric {

/// A function by pieces, as plain pointers: in the interval i, c[4 i] + c[4 i + 1] s + c[4 i + 2]
/// s^2 + c[4 i + 3] s^3 with s = x - knots[i]. `knots` has one entry more than there are intervals.
struct TableView {
  const double* knots;         ///< increasing arguments, `intervals` + 1
  const double* coefficients;  ///< coefficients c, 4 per interval
  std::size_t intervals;       ///< number of intervals
  double last;                 ///< value at the last knot and beyond it
};

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

using std::size_t;
#include "dalembert/numeric/arithmetic/tables.h"

/// `table_value_at` lane by lane: the derivative of that order, from 0 to 3; nan for nan.
template <class T>
T table_value(const TableView& table, int order, T x) {
  for (int lane = 0; lane < lane_count<T>; ++lane)
    set_lane(x, lane, table_value_at(&table, order, get_lane(x, lane)));
  return x;
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
