#pragma once
/// \file
/// The larger and the smaller of two, of which a nan is not lost. What was measured as nan must
/// stay so to the verdict: `std::max(a, b)` gives a where b is nan, and the largest of several
/// values that is kept in an `if` forgets a nan at the next of them.

#include <span>

#include "dalembert/numeric/lanes.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

#include "dalembert/numeric/arithmetic/extremes.h"

/// The larger of two numbers, per lane; nan if either is: `maximum` of IEEE 754-2019 but for the
/// order of zeros, of which the first is taken.
template <class T>
DALEMBERT_ALWAYS_INLINE T larger(const T& a, const typename detail::Identity<T>::type& b) {
  return larger_of<T>(a, b);
}

/// The smaller of two numbers, per lane; nan if either is.
template <class T>
DALEMBERT_ALWAYS_INLINE constexpr T smaller(const T& a,
                                            const typename detail::Identity<T>::type& b) {
  const mask_of<T> is_smallest = b >= a, is_nan = a != a;
  return select(is_smallest | is_nan, a, b);
}

/// The larger of two absolute values, per lane; nan if either is. Doubles without a sign are in the
/// order of their bits, a nan last: nothing to choose by a jump.
template <class T>
DALEMBERT_ALWAYS_INLINE T larger_magnitude(const T& a, const T& b) {
  return larger(a, b);
}
/// The larger of two absolute values of doubles, by their bits.
DALEMBERT_ALWAYS_INLINE double larger_magnitude(const double& a, const double& b) {
  const auto bits_a = __builtin_bit_cast(long long, a), bits_b = __builtin_bit_cast(long long, b);
  return __builtin_bit_cast(double, bits_b > bits_a ? bits_b : bits_a);
}
/// The larger of two absolute values in each lane, by their bits.
template <int N>
DALEMBERT_ALWAYS_INLINE Lanes<N> larger_magnitude(const Lanes<N>& a, const Lanes<N>& b) {
  Lanes<N> result;
  for (int k = 0; k < Lanes<N>::packs; ++k) {
    using Word = typename Mask<N>::Word;
    const auto is_larger =
        __builtin_bit_cast(Word, detail::to_word(b.pack[k]) > detail::to_word(a.pack[k]));
    result.pack[k] = detail::pack_select(is_larger, b.pack[k], a.pack[k]);
  }
  return result;
}

/// The largest |x_i|, zero where there is none; nan if an entry is.
template <class T>
T largest_size(std::span<const T> values) {
  T largest(0.0);
  for (const T& value : values) largest = larger(largest, value < T(0.0) ? T(-value) : value);
  return largest;
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
