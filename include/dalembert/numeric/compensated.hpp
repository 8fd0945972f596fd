#pragma once
/// \file
/// Compensated sums: a running value with the digits that its rounding lost beside it.

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// `sum_and_error`: sum = a + b rounded, error = what the rounding lost, exactly.
template <class T>
DALEMBERT_ALWAYS_INLINE void two_sum(const T& a, const T& b, T& sum, T& error) {
  detail::sum_and_error<T>(a, b, &sum, &error);
}
/// `add_compensated`: adds an increment to value + carry.
template <class T>
DALEMBERT_ALWAYS_INLINE void add(T& value, T& carry, const T& increment) {
  detail::add_compensated<T>(&value, &carry, increment);
}

/// A compensated sum from zero: `sum.add(x)`, then `sum.value`.
template <class T>
struct CompensatedSum {
  T value = T(0.0), carry = T(0.0);  ///< rounded sum, and the rest of it

  /// Adds an increment to the sum.
  DALEMBERT_ALWAYS_INLINE void add(const T& increment) { numeric::add(value, carry, increment); }
};

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
