#pragma once
/// \file
/// Elementary functions of `double` and `Lanes<N>`: the same bits on one number and in any lane,
/// with every compiler and at every instruction set level. `long double` goes to the C library.
///
/// Call them qualified or after `using dalembert::numeric::sin;`. A bare `sin(x)` on a `double`
/// outside this namespace finds the C library's function, with other bits. Types with functions of
/// their own (multiprecision numbers) are found by argument-dependent lookup; nothing here accepts
/// them.

#include "dalembert/numeric/elementary_packs.hpp"
#include "dalembert/numeric/lanes.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

namespace detail {
/// True for double and lanes.
template <class T>
inline constexpr bool is_double_or_lanes = false;
template <>
inline constexpr bool is_double_or_lanes<double> = true;  ///< double is such a type
template <int N>
inline constexpr bool is_double_or_lanes<Lanes<N>> = true;  ///< lanes are such a type
/// True for long double.
template <class T>
inline constexpr bool is_long_double = false;
template <>
inline constexpr bool is_long_double<long double> = true;  ///< long double is that type
}  // namespace detail

/// Types whose elementary functions are computed here.
template <class T>
concept DoubleOrLanes = detail::is_double_or_lanes<T>;
/// Type whose elementary functions are those of the C library.
template <class T>
concept LongDouble = detail::is_long_double<T>;

namespace detail {

/// A function of packs, of a number.
template <class F>
DALEMBERT_ALWAYS_INLINE double by_pack(F f, double x) {
  return f(x);
}
/// A function of packs, of every pack of lanes.
template <class F, int N>
DALEMBERT_ALWAYS_INLINE Lanes<N> by_pack(F f, Lanes<N> x) {
  for (int k = 0; k < Lanes<N>::packs; ++k) x.pack[k] = f(x.pack[k]);
  return x;
}
/// A function of two packs, of two numbers.
template <class F>
DALEMBERT_ALWAYS_INLINE double by_pack(F f, double x, double y) {
  return f(x, y);
}
/// A function of two packs, of every two packs of lanes.
template <class F, int N>
DALEMBERT_ALWAYS_INLINE Lanes<N> by_pack(F f, Lanes<N> x, Lanes<N> y) {
  for (int k = 0; k < Lanes<N>::packs; ++k) x.pack[k] = f(x.pack[k], y.pack[k]);
  return x;
}

/// A function of packs with two results, of a number or of every pack of lanes.
template <class T, class F>
DALEMBERT_ALWAYS_INLINE SinCos<T> pair_by_pack(F f, const T& x) {
  if constexpr (lane_count<T> == 1) {
    return f(x);
  } else {
    SinCos<T> value;
    for (int k = 0; k < T::packs; ++k) {
      const auto pair = f(x.pack[k]);
      value.sine.pack[k] = pair.sine;
      value.cosine.pack[k] = pair.cosine;
    }
    return value;
  }
}
/// `near_sin_cos` of every pack: for |x| <= largest_near_angle.
template <class T>
DALEMBERT_ALWAYS_INLINE SinCos<T> sin_cos_of_near(const T& x) {
  return pair_by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return near_sin_cos(v); }, x);
}
/// `far_sin_cos` of every pack: for |x| <= largest_reduced_angle.
template <class T>
DALEMBERT_ALWAYS_INLINE SinCos<T> sin_cos_of_far(const T& x) {
  return pair_by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return far_sin_cos(v); }, x);
}
/// `largest_sin_cos` of every pack: for |x| > largest_reduced_angle, nan from inf and nan.
template <class T>
DALEMBERT_ALWAYS_INLINE SinCos<T> sin_cos_of_largest(const T& x) {
  return pair_by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return largest_sin_cos(v); }, x);
}
/// `pack_log` of every pack: for positive normal finite x.
template <class T>
DALEMBERT_ALWAYS_INLINE T normal_log(const T& x) {
  return by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return pack_log(v); }, x);
}

/// `pack_log_of_subnormal` of every pack: for positive subnormal x.
template <class T>
DALEMBERT_ALWAYS_INLINE T log_of_subnormal(const T& x) {
  return by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return pack_log_of_subnormal(v); }, x);
}

}  // namespace detail

/// Correctly rounded square root; nan for x < 0.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE T sqrt(T x) {
  return detail::by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return detail::pack_sqrt(v); }, x);
}
/// |x|, exact.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE T abs(T x) {
  return detail::by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return detail::pack_abs(v); }, x);
}
/// Largest integer not above x, exact; inf and nan come back.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE T floor(T x) {
  return detail::by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return detail::pack_floor(v); }, x);
}
/// Nearest integer, ties to the even one, exact; inf and nan come back. (The C library's rint.)
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE T round_to_nearest(T x) {
  return detail::by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return detail::pack_round(v); }, x);
}
/// Magnitude of one number with the sign of another, exact.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE T copysign(T magnitude, T sign) {
  if constexpr (lane_count<T> == 1) {
    return detail::pack_copysign(magnitude, sign);
  } else {
    for (int k = 0; k < T::packs; ++k)
      magnitude.pack[k] = detail::pack_copysign(magnitude.pack[k], sign.pack[k]);
    return magnitude;
  }
}
/// The smaller of two numbers; a if they compare equal or one of them is nan.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE T min(T a, T b) {
  return select(b < a, b, a);
}
/// The larger of two numbers; a if they compare equal or one of them is nan.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE T max(T a, T b) {
  return select(a < b, b, a);
}

/// exp(x), error below 0.6 units in the last place (1 where the result is subnormal); inf and 0
/// beyond the range of double.
template <DoubleOrLanes T>
inline T exp(T x) {
  return detail::by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return detail::pack_exp(v); }, x);
}

namespace detail {
#include "dalembert/numeric/arithmetic/functions.h"
}  // namespace detail
using detail::sin, detail::cos, detail::log;

/// s = sin(x) and c = cos(x), the same bits as from `sin` and `cos`.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE void sincos(const T& x, T& s, T& c) {
  const auto value = detail::sine_and_cosine(x);
  s = value.sine;
  c = value.cosine;
}

#define DALEMBERT_BY_PACK(name)                                                                   \
  template <DoubleOrLanes T>                                                                      \
  DALEMBERT_ALWAYS_INLINE T name(T x) {                                                           \
    return detail::by_pack([](auto v) DALEMBERT_INLINE_LAMBDA { return detail::pack_##name(v); }, \
                           x);                                                                    \
  }
#define DALEMBERT_BY_PACK_OF_TWO(name)                                                           \
  template <DoubleOrLanes T>                                                                     \
  DALEMBERT_ALWAYS_INLINE T name(T x, T y) {                                                     \
    return detail::by_pack(                                                                      \
        [](auto v, auto w) DALEMBERT_INLINE_LAMBDA { return detail::pack_##name(v, w); }, x, y); \
  }
/// Errors below 1.2 units in the last place (most below 0.85), special values as in C.
DALEMBERT_BY_PACK(tan)
DALEMBERT_BY_PACK(asin)
DALEMBERT_BY_PACK(acos)
DALEMBERT_BY_PACK(atan)
DALEMBERT_BY_PACK(sinh)
DALEMBERT_BY_PACK(cosh)
DALEMBERT_BY_PACK(tanh)
DALEMBERT_BY_PACK_OF_TWO(atan2)
DALEMBERT_BY_PACK_OF_TWO(pow)
#undef DALEMBERT_BY_PACK
#undef DALEMBERT_BY_PACK_OF_TWO

/// The length of (x, y), of numbers of any size; nan if either is. Error below 1.5 units in the
/// last place: half of one from the root, and half of those of the squares and of their sum.
inline double hypot(double x, double y) {
  const double size = max(abs(x), abs(y));
  const double scale = size > 0x1p500 ? 0x1p-600 : size < 0x1p-400 ? 0x1p600 : 1.0;
  const double a = scale * x, b = scale * y;
  return sqrt(a * a + b * b) / scale;
}
/// The length of (x, y, z).
inline double hypot(double x, double y, double z) { return hypot(hypot(x, y), z); }

/// `long double`: the C library's functions. Templates, so that nothing converts to them silently.
#define DALEMBERT_LONG_DOUBLE(name, builtin) \
  template <LongDouble T>                    \
  inline T name(T x) {                       \
    return builtin(x);                       \
  }
#define DALEMBERT_LONG_DOUBLE_OF_TWO(name, builtin) \
  template <LongDouble T>                           \
  inline T name(T x, T y) {                         \
    return builtin(x, y);                           \
  }
DALEMBERT_LONG_DOUBLE(sqrt, __builtin_sqrtl)
DALEMBERT_LONG_DOUBLE(abs, __builtin_fabsl)
DALEMBERT_LONG_DOUBLE(floor, __builtin_floorl)
DALEMBERT_LONG_DOUBLE(round_to_nearest, __builtin_rintl)
DALEMBERT_LONG_DOUBLE(sin, __builtin_sinl)
DALEMBERT_LONG_DOUBLE(cos, __builtin_cosl)
DALEMBERT_LONG_DOUBLE(exp, __builtin_expl)
DALEMBERT_LONG_DOUBLE(log, __builtin_logl)
DALEMBERT_LONG_DOUBLE(tan, __builtin_tanl)
DALEMBERT_LONG_DOUBLE(asin, __builtin_asinl)
DALEMBERT_LONG_DOUBLE(acos, __builtin_acosl)
DALEMBERT_LONG_DOUBLE(atan, __builtin_atanl)
DALEMBERT_LONG_DOUBLE(sinh, __builtin_sinhl)
DALEMBERT_LONG_DOUBLE(cosh, __builtin_coshl)
DALEMBERT_LONG_DOUBLE(tanh, __builtin_tanhl)
DALEMBERT_LONG_DOUBLE_OF_TWO(copysign, __builtin_copysignl)
DALEMBERT_LONG_DOUBLE_OF_TWO(atan2, __builtin_atan2l)
DALEMBERT_LONG_DOUBLE_OF_TWO(pow, __builtin_powl)
#undef DALEMBERT_LONG_DOUBLE
#undef DALEMBERT_LONG_DOUBLE_OF_TWO

/// The smaller of two numbers; a if they compare equal or one of them is nan.
template <LongDouble T>
inline T min(T a, T b) {
  return b < a ? b : a;
}
/// The larger of two numbers; a if they compare equal or one of them is nan.
template <LongDouble T>
inline T max(T a, T b) {
  return a < b ? b : a;
}
/// s = sin(x) and c = cos(x) of the C library.
template <LongDouble T>
inline void sincos(T x, T& s, T& c) {
  s = __builtin_sinl(x);
  c = __builtin_cosl(x);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
