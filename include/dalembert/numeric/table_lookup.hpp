#pragma once
/// \file
/// Piecewise polynomials of degree three, held constant outside their knots.

#include <cstddef>

#include "dalembert/numeric/lanes.hpp"

namespace dalembert::numeric {

/// A function by pieces, as plain pointers: in the interval i, c[4 i] + c[4 i + 1] s + c[4 i + 2]
/// s^2 + c[4 i + 3] s^3 with s = x - knots[i]. `knots` has one entry more than there are intervals.
struct TableView {
  const double* knots;
  const double* coefficients;
  std::size_t intervals;
  double last;  ///< the value at the last knot and beyond it
};

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The interval in which a number between the first and the last knot lies; at a knot the one to
/// its right.
template <class T>
std::size_t interval_of(const TableView& table, const T& x) {
  std::size_t low = 0, high = table.intervals;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    if (x < T(table.knots[middle])) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

/// The derivative of that order, from 0 to 3, at one number; nan for nan.
template <class T>
T table_value_at(const TableView& table, int order, const T& x) {
  if (!(x == x)) return x;
  if (x < T(table.knots[0])) return T(order == 0 ? table.coefficients[0] : 0.0);
  if (!(x < T(table.knots[table.intervals]))) return T(order == 0 ? table.last : 0.0);
  const std::size_t i = interval_of(table, x);
  const double* c = table.coefficients + 4 * i;
  const T s = x - T(table.knots[i]);
  switch (order) {
    case 0:
      return T(c[0]) + s * (T(c[1]) + s * (T(c[2]) + s * T(c[3])));
    case 1:
      return T(c[1]) + s * (T(2.0 * c[2]) + s * (T(3.0) * T(c[3])));
    case 2:
      return T(2.0 * c[2]) + s * (T(6.0) * T(c[3]));
    default:
      return T(6.0) * T(c[3]);
  }
}

/// The same, lane by lane.
template <class T>
T table_value(const TableView& table, int order, T x) {
  for (int lane = 0; lane < lane_count<T>; ++lane)
    set_lane(x, lane, table_value_at(table, order, get_lane(x, lane)));
  return x;
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
