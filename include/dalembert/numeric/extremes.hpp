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

/// The largest |x_i|, zero where there is none; nan if an entry is.
template <class T>
T largest_size(std::span<const T> values) {
  T largest(0.0);
  for (const T& value : values) largest = larger(largest, value < T(0.0) ? T(-value) : value);
  return largest;
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
