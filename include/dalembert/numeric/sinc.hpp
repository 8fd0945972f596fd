#pragma once
/// \file
/// Functions with a removable singularity, for difference quotients that must not lose digits:
///   (cos a - cos b) / (a - b) = -sin((a + b)/2) sinc((a - b)/2),
///   (sin a - sin b) / (a - b) =  cos((a + b)/2) sinc((a - b)/2),
///   (exp a - exp b) / (a - b) =  exp((a + b)/2) sinhc((a - b)/2).
/// The families `sinc_of_order` and `sinhc_of_order` are closed under differentiation, so that a
/// Newton iteration on such a quotient gets its derivative without a 0/0 either.
/// `sinc_root_of_order` takes the square of the argument, as of a rotation vector: no root, which
/// would have no derivative at zero.

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

#include "dalembert/numeric/arithmetic/removable.h"

// The same for wider numbers: more terms of the series.

/// sin(x) / x, 1 at 0.
template <class T>
requires(!DoubleOrLanes<T>) inline T sinc(const T& x) {
  return x == T(0.0) ? T(1.0) : T(sin(x) / x);
}
/// sinh(x) / x, 1 at 0.
template <class T>
requires(!DoubleOrLanes<T>) inline T sinhc(const T& x) {
  return x == T(0.0) ? T(1.0) : T(sinh(x) / x);
}

namespace detail {

/// Series of f_order (sign -1) or g_order (sign 1) in the square z of the argument. The first term
/// left out is below 1e-38 of the sum.
template <int sign, class T>
inline T wide_series(int order, const T& z) {
  T sum = T(1.0);
  for (int m = sign < 0 ? 24 : 30; m > 0; --m) {
    const double divisor = 2.0 * m * (2.0 * order + 2.0 * m + 1.0);
    sum = T(1.0) + z * sum * T(static_cast<double>(sign)) / T(divisor);
  }
  double factorial = 1.0;
  for (int m = 1; m <= order; ++m) factorial *= 2.0 * m + 1.0;
  return sum / T(factorial);
}
/// f_order from f_{-1} and f_0 by f_{k+1} = sign (f_{k-1} - (2k+1) f_k) / z.
template <int sign, class T>
inline T wide_recurrence(int order, T before, T value, const T& z) {
  for (int k = 0; k < order; ++k) {
    const T weight = T(2.0 * k + 1.0);
    const T next = sign > 0 ? T((before - weight * value) / z) : T((weight * value - before) / z);
    before = value;
    value = next;
  }
  return value;
}

}  // namespace detail

/// f_order(x) with f_0 = sinc and f_k' = -x f_{k+1}, order >= 0.
template <class T>
requires(!DoubleOrLanes<T>) inline T sinc_of_order(int order, const T& x) {
  if (order == 0) return sinc(x);
  const T z = x * x;
  if (abs(x) < T(sinc_series_limit)) return detail::wide_series<-1>(order, z);
  return detail::wide_recurrence<-1>(order, T(cos(x)), sinc(x), z);
}
/// F_order(t) = f_order(sqrt t) with f_{-1} = cos, order >= -1. Meant for t >= 0.
template <class T>
requires(!DoubleOrLanes<T>) inline T sinc_root_of_order(int order, const T& t) {
  if (abs(t) < T(sinc_series_limit * sinc_series_limit)) return detail::wide_series<-1>(order, t);
  const T x = sqrt(t), cosine = cos(x);
  return order < 0 ? cosine : detail::wide_recurrence<-1>(order, cosine, sinc(x), t);
}
/// g_order(x) with g_0 = sinhc and g_k' = x g_{k+1}, order >= 0.
template <class T>
requires(!DoubleOrLanes<T>) inline T sinhc_of_order(int order, const T& x) {
  if (order == 0) return sinhc(x);
  const T z = x * x;
  if (abs(x) < T(sinhc_series_limit)) return detail::wide_series<1>(order, z);
  return detail::wide_recurrence<1>(order, T(cosh(x)), sinhc(x), z);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
