#pragma once
/// \file
/// The elementary functions on one pack (a double, or the doubles of one machine register), from
/// basic IEEE operations only, so that one number and any lane get the same bits with every
/// compiler and instruction set. `elementary.hpp` makes them available for numbers and lanes.
///
/// The polynomials are minimax fits (Remez exchange in 60 digits, coefficients rounded to double);
/// the error of the fit, relative to the function, stands beside each.

#include "dalembert/numeric/packs.hpp"

#ifdef __clang__
#define DALEMBERT_OPAQUE [[gnu::noinline]] inline
#else
#define DALEMBERT_OPAQUE [[gnu::noipa]] inline
#endif

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {
namespace detail {

inline constexpr long long sign_bit = static_cast<long long>(1ULL << 63);
inline constexpr long long magnitude_bits = ~sign_bit;
/// Adding 1.5 * 2^52 rounds to an integer, which then stands in the low bits of the sum.
inline constexpr double integer_shift = 0x1.8p52;
inline constexpr double infinity = __builtin_inf();

template <class V>
DALEMBERT_ALWAYS_INLINE V broadcast(double value) {
  return value - V{};
}
/// Comparisons as words of all ones or zero, for a double as for a register.
template <class V>
DALEMBERT_ALWAYS_INLINE WordOf<V> less(V a, V b) {
  if constexpr (sizeof(V) == sizeof(double))
    return a < b ? -1LL : 0LL;
  else
    return __builtin_bit_cast(WordOf<V>, a < b);
}
template <class V>
DALEMBERT_ALWAYS_INLINE WordOf<V> less_or_equal(V a, V b) {
  if constexpr (sizeof(V) == sizeof(double))
    return a <= b ? -1LL : 0LL;
  else
    return __builtin_bit_cast(WordOf<V>, a <= b);
}
template <class V>
DALEMBERT_ALWAYS_INLINE V pack_abs(V x) {
  return to_real(to_word(x) & magnitude_bits);
}
template <class V>
DALEMBERT_ALWAYS_INLINE V pack_copysign(V magnitude, V sign) {
  return to_real((to_word(magnitude) & magnitude_bits) | (to_word(sign) & sign_bit));
}
/// Nearest integer, ties to even; what has no fraction (and inf, nan) comes back unchanged.
template <class V>
DALEMBERT_ALWAYS_INLINE V pack_round(V x) {
  const V magnitude = pack_abs(x), shift = broadcast<V>(0x1p52);
  const V rounded = (magnitude + shift) - shift;
  return pack_select(less(magnitude, shift), pack_copysign(rounded, x), x);
}
template <class V>
DALEMBERT_ALWAYS_INLINE V pack_floor(V x) {
  const V rounded = pack_round(x);
  const V lower = rounded - to_real(less(x, rounded) & to_word(broadcast<V>(1.0)));
  return pack_copysign(lower, x);
}

/// A number as high - low, low below the last digit of high. (The minus lets a zero keep its sign.)
template <class V>
struct Split {
  V high, low;
};

/// pi/2 as a sum: four parts of 23 bits, then 53 more; 145 bits in all.
inline constexpr double half_pi_1 = 0x1.921fb4p+0;
inline constexpr double half_pi_2 = 0x1.4442dp-24;
inline constexpr double half_pi_3 = 0x1.846988p-48;
inline constexpr double half_pi_4 = 0x1.8cc514p-72;
inline constexpr double half_pi_5 = 0x1.80dc1cd129025p-95;

/// x - n pi/2 for an integer n next to x / (pi/2), |n| < 2^30, to a relative error of 2^-58 even
/// for the x nearest to a multiple of pi/2. Why: each product with a part of 23 bits is exact, and
/// so are the first two differences, because x and the product are multiples of ulp(x) or of 2^-46
/// and what is left is small. From then on the rounding errors are kept; `a - b` loses exactly `(a
/// - d) - b` when a is a multiple of ulp(b).
template <class V>
DALEMBERT_ALWAYS_INLINE Split<V> subtract_half_pis(V x, V n) {
  const V r2 = (x - n * half_pi_1) - n * half_pi_2;
  const V p3 = n * half_pi_3, r3 = r2 - p3, e3 = (r2 - r3) - p3;
  const V p4 = n * half_pi_4, r4 = r3 - p4, e4 = (r3 - r4) - p4;
  const V rest = n * half_pi_5 - (e3 + e4);
  const V high = r4 - rest;
  return {high, rest - (r4 - high)};
}

template <class V>
struct SinCos {
  V sin, cos;
};

/// sin and cos of r.high - r.low, |r| <= pi/4 and a rounding beyond.
/// The large terms are added last and exactly enough: sin r = r + (small), cos r = (1 - r^2/2 with
/// its rounding error) + (small); r.low enters by the first term of its Taylor series.
template <class V>
DALEMBERT_ALWAYS_INLINE SinCos<V> sin_cos_near_zero(Split<V> r) {
  const V x = r.high, z = x * x, w = z * z;
  // (sin x / x - 1) / x^2, 2^-57
  constexpr double s1 = -0x1.5555555555549p-3, s2 = 0x1.111111110f928p-7,
                   s3 = -0x1.a01a019c34174p-13, s4 = 0x1.71de359ad96ecp-19,
                   s5 = -0x1.ae5e82d9b9d66p-26, s6 = 0x1.5d9b20713dc6ep-33;
  // (cos x - 1 + x^2/2) / x^4, 2^-60
  constexpr double c1 = 0x1.555555555554bp-5, c2 = -0x1.6c16c16c15035p-10,
                   c3 = 0x1.a01a019c8b4eep-16, c4 = -0x1.27e4f7e5386fcp-22,
                   c5 = 0x1.1ee9cc6518105p-29, c6 = -0x1.8f9b5ba770c73p-37;
  const V sin_tail = (s2 + z * s3) + w * ((s4 + z * s5) + w * s6);
  const V cos_tail = ((c1 + z * c2) + w * (c3 + z * c4)) + (w * w) * (c5 + z * c6);
  const V half = 0.5 * z, rest = 1.0 - half;
  const V sin_value = x - (r.low * rest - x * (z * (s1 + z * sin_tail)));
  const V cos_value = rest + (((1.0 - rest) - half) + (w * cos_tail + x * r.low));
  return {sin_value, cos_value};
}

/// sin and cos for |x| <= 1e9; garbage, but no trap, beyond.
template <class V>
DALEMBERT_ALWAYS_INLINE SinCos<V> sin_cos(V x) {
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  const V shifted = x * two_over_pi + integer_shift;
  const V n = shifted - integer_shift;
  const SinCos<V> near = sin_cos_near_zero(subtract_half_pis(x, n));
  const WordOf<V> quadrant = to_word(shifted);
  const WordOf<V> s = to_word(near.sin), c = to_word(near.cos);
  const WordOf<V> exchange = (s ^ c) & -(quadrant & 1);
  return {to_real((s ^ exchange) ^ ((quadrant & 2) << 62)),
          to_real((c ^ exchange) ^ (((quadrant + 1) & 2) << 62))};
}

/// exp, everywhere.
template <class V>
DALEMBERT_ALWAYS_INLINE V pack_exp(V unlimited) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  // (exp x - 1 - x - x^2/2) / x^3, 2^-60
  constexpr double c3 = 0x1.5555555555556p-3, c4 = 0x1.5555555555556p-5, c5 = 0x1.11111111109b5p-7,
                   c6 = 0x1.6c16c16c15dcap-10, c7 = 0x1.a01a01a7c2dcdp-13,
                   c8 = 0x1.a01a01a9346a0p-16, c9 = 0x1.71de0db33dadcp-19,
                   c10 = 0x1.27e4d4d90189fp-22, c11 = 0x1.af389e2f8f7e0p-26,
                   c12 = 0x1.1f7f1e2a664b8p-29;
  // Beyond these the result is inf or 0 all the same; a nan passes.
  const V most = broadcast<V>(710.0), least = broadcast<V>(-746.0);
  const V below = pack_select(less(most, unlimited), most, unlimited);
  const V x = pack_select(less(below, least), least, below);
  const V n = (x * log2_e + integer_shift) - integer_shift;
  const V high = x - n * ln2_high, low = n * ln2_low;
  const V r = high - low, r_low = (high - r) - low;
  const V z = r * r, w = z * z;
  const V tail = ((c3 + r * c4) + z * (c5 + r * c6)) +
                 w * (((c7 + r * c8) + z * (c9 + r * c10)) + w * (c11 + r * c12));
  // 1 + (r + r^2/2 + ...), with what rounding r + r^2/2 loses: that is half of the error otherwise.
  const V half = 0.5 * z, sum = r + half, lost = (r - sum) + half;
  const V one_and = 1.0 + sum, lost_too = (1.0 - one_and) + sum;
  const V y = one_and + (lost_too + (lost + (r * z * tail + (r_low + r * r_low))));
  // 2^n in two factors, since n alone may leave the range of exponents.
  const V shifted = 0.5 * n + integer_shift, n1 = shifted - integer_shift;
  const WordOf<V> k1 = to_word(shifted), k2 = to_word((n - n1) + integer_shift);
  return y * to_real((k1 + 1023) << 52) * to_real((k2 + 1023) << 52);
}

/// log for positive normal finite x; garbage, but no trap, elsewhere.
template <class V>
DALEMBERT_ALWAYS_INLINE V pack_log(V x) {
  constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  // (log((1 + s)/(1 - s)) / s - 2) / s^2 in s^2, 2^-58
  constexpr double l1 = 0x1.5555555555592p-1, l2 = 0x1.999999997fdbep-2, l3 = 0x1.24924941f0efbp-2,
                   l4 = 0x1.c71c52097c584p-3, l5 = 0x1.74663ee269343p-3, l6 = 0x1.39a1bb601d16fp-3,
                   l7 = 0x1.2f055bf1805c1p-3;
  // x = 2^n m with m in [sqrt(1/2), sqrt(2)); unsigned words, which may wrap.
  constexpr unsigned long long sqrt_half = 0x3fe6a09e667f3bcd, not_significand = 0xfffULL << 52;
  const BitsOf<V> word = __builtin_bit_cast(BitsOf<V>, x);
  const BitsOf<V> power = (word - sqrt_half) & not_significand;
  const V m = __builtin_bit_cast(V, word - power);
  // n + 1024 as the last digits of 2^52 + n + 1024: a double without a conversion.
  const BitsOf<V> digits = (power + (1024ULL << 52)) >> 52;
  const V n = __builtin_bit_cast(V, digits | __builtin_bit_cast(unsigned long long, 0x1p52)) -
              (0x1p52 + 1024.0);
  const V f = m - 1.0, s = f / (2.0 + f), z = s * s, w = z * z;
  const V tail = z * ((l1 + z * l2) + w * ((l3 + z * l4) + w * ((l5 + z * l6) + w * l7)));
  const V half = 0.5 * f * f;
  return n * ln2_high - ((half - (s * (half + tail) + n * ln2_low)) - f);
}

}  // namespace detail
}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
