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

/// sin(x) / x, 1 at 0, error below 1.5 units in the last place for |x| <= 1e9 (the quotient of two
/// accurate numbers loses nothing, however small x). nan for inf and nan.
template <class T>
inline T sinc(const T& x) {
  return select(x == T(0.0), T(1.0), sin(x) / x);
}

/// sinh(x) / x, 1 at 0, error a few units in the last place; inf beyond the range of sinh, nan for
/// inf and nan.
template <class T>
inline T sinhc(const T& x) {
  return select(x == T(0.0), T(1.0), sinh(x) / x);
}

namespace detail {

/// Sum over m of (sign z / 2)^m / (m! (2k+1)!! (2k+3) (2k+5) ... (2k+2m+1)), k the order, |x| <=
/// limit.
template <int sign, class T>
inline T removable_series(int order, const T& z) {
  // The first term left out is below 1e-18 (1e-38 for wider numbers) of the sum.
  constexpr int terms = is_double_or_lanes<T> ? (sign < 0 ? 14 : 18) : (sign < 0 ? 24 : 30);
  T sum = T(1.0);
  for (int m = terms; m > 0; --m) {
    const double divisor = 2.0 * m * (2.0 * order + 2.0 * m + 1.0);
    if constexpr (is_double_or_lanes<T>)
      sum = 1.0 + (z * sum) * (sign / divisor);
    else
      sum = T(1.0) + z * sum * T(static_cast<double>(sign)) / T(divisor);
  }
  double factorial = 1.0;
  for (int m = 1; m <= order; ++m) factorial *= 2.0 * m + 1.0;
  return sum / T(factorial);
}

/// Up to here the series, beyond it the recurrence, which divides by x^2 at every order. The series
/// with alternating signs loses digits as x grows.
template <int sign>
inline constexpr double series_limit = sign < 0 ? 2.5 : 5.0;

/// From f_{-1} and f_0 to f_order by f_{k+1} = sign (f_{k-1} - (2k+1) f_k) / z.
template <int sign, class T>
inline T removable_recurrence(int order, T before, T value, const T& z) {
  for (int k = 0; k < order; ++k) {
    const T weight = T(2.0 * k + 1.0);
    const T next = sign > 0 ? (before - weight * value) / z : (weight * value - before) / z;
    before = value;
    value = next;
  }
  return value;
}

}  // namespace detail

/// f_k(x) with f_0 = sinc and f_k' = -x f_{k+1}: j_k(x) / x^k for the spherical Bessel function
/// j_k, 1 / (1 3 5 ... (2k+1)) at 0. So sinc'(x) = -x f_1(x). Absolute error below 1e-15 for orders
/// to 4; the relative error grows with the order, see the tests.
template <class T>
inline T sinc_of_order(int order, const T& x) {
  if (order == 0) return sinc(x);
  const T z = x * x;
  const mask_of<T> near = abs(x) < T(detail::series_limit<-1>);
  if (all(near)) return detail::removable_series<-1>(order, z);
  const T far = detail::removable_recurrence<-1>(order, T(cos(x)), sinc(x), z);
  if (!any(near)) return far;
  return select(near, detail::removable_series<-1>(order, z), far);
}

/// F_k(t) = f_k(sqrt t) for k >= -1, where f_{-1} = cos and f_k is `sinc_of_order`: entire in t,
/// with F_k' = -F_{k+1} / 2 and F_k(0) = 1 / (1 3 5 ... (2k+1)). Meant for t >= 0. Above -6.25 a
/// negative t gives the continuation f_k(i sqrt(-t)) = cosh, sinhc, ...; below it nan, as from inf.
/// Absolute error below 1e-15 for orders to 4.
template <class T>
inline T sinc_root_of_order(int order, const T& t) {
  const mask_of<T> near = abs(t) < T(detail::series_limit<-1> * detail::series_limit<-1>);
  if (all(near)) return detail::removable_series<-1>(order, t);
  const T x = sqrt(t), cosine = cos(x);
  const T far = order < 0 ? cosine : detail::removable_recurrence<-1>(order, cosine, sinc(x), t);
  if (!any(near)) return far;
  return select(near, detail::removable_series<-1>(order, t), far);
}

/// g_k(x) = f_k(i x): g_0 = sinhc and g_k' = x g_{k+1}.
template <class T>
inline T sinhc_of_order(int order, const T& x) {
  if (order == 0) return sinhc(x);
  const T z = x * x;
  const mask_of<T> near = abs(x) < T(detail::series_limit<1>);
  if (all(near)) return detail::removable_series<1>(order, z);
  const T far = detail::removable_recurrence<1>(order, T(cosh(x)), sinhc(x), z);
  if (!any(near)) return far;
  return select(near, detail::removable_series<1>(order, z), far);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
