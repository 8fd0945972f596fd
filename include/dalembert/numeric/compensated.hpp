#pragma once
/// \file
/// Compensated sums: a running value with the digits that its rounding lost beside it.

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// sum = a + b rounded and error = what the rounding lost, exactly (Knuth), whatever the
/// magnitudes; without branches. Not for sums that overflow: there the error is nan.
template <class T>
DALEMBERT_ALWAYS_INLINE void two_sum(const T& a, const T& b, T& sum, T& error) {
  const T s = a + b, b_seen = s - a, a_seen = s - b_seen;
  error = (a - a_seen) + (b - b_seen);
  sum = s;
}

/// Adds an increment to value + carry. `value` is the sum rounded to working precision, ready for
/// use; `carry` (zero at first) holds what is below its last digit. After m additions the error of
/// value + carry is about m eps^2 times the sum of magnitudes, as in twice the precision.
/// The two are a state: save both to continue bit for bit. An increment that is not finite makes
/// both nan or inf.
template <class T>
DALEMBERT_ALWAYS_INLINE void add(T& value, T& carry, const T& increment) {
  T sum, lost, step, lost_too;
  two_sum(increment, carry, step, lost_too);
  two_sum(value, step, sum, lost);
  const T rest = lost + lost_too;
  const T rounded = sum + rest;  // rest may have grown beyond half a digit of the sum
  carry = rest - (rounded - sum);
  value = rounded;
}

/// A compensated sum from zero: `sum.add(x)`, then `sum.value`.
template <class T>
struct CompensatedSum {
  T value = T(0.0), carry = T(0.0);

  DALEMBERT_ALWAYS_INLINE void add(const T& increment) { numeric::add(value, carry, increment); }
};

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
