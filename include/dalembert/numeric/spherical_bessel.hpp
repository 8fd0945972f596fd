#pragma once

#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/lanes.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The power series j_k(x) = x^k/(2k+1)!! sum_n (-x^2/2)^n / (n! (2k+3)(2k+5)...(2k+2n+1)), summed
/// until the terms vanish for |x| <= 2 in double (and, with `terms` doubled, in 113 bits). Source:
/// [NIST DLMF], Eq. 10.53.1.
template <class Number>
Number spherical_bessel_series(unsigned order, const Number& x, int terms) {
  const Number y = Number(-0.5) * x * x;
  Number factor = Number(1.0);
  for (unsigned k = 1; k <= order; ++k) factor = factor * x / Number(2.0 * k + 1.0);
  Number sum = Number(1.0);
  for (int n = terms; n >= 1; --n)
    sum = Number(1.0) + y * sum / Number(double(n) * (2.0 * order + 2.0 * n + 1.0));
  return factor * sum;
}

/// The spherical Bessel function j_order(x); j_0(x) = sin(x)/x, with value 1 at 0. Accurate to a
/// few ulp of the largest of |j_order(x)| and |1/x|; smooth through x = 0. The same bits on one
/// number and in every lane.
template <class Number>
Number spherical_bessel(unsigned order, const Number& x) {
  constexpr int terms = sizeof(Number) / lane_count < Number >> 8 ? 24 : 12;
  const Number size = select(x < Number(0.0), Number(-x), x);
  const auto small = size < Number(2.0 + double(order));
  Number result = Number(0.0);
  if (any(small)) {
    // A larger order needs the series further out, where the upward recurrence below loses digits.
    result = spherical_bessel_series(order, select(small, x, Number(0.0)),
                                     terms + 6 * static_cast<int>(order));
  }
  if (all(small)) return result;
  const Number safe = select(small, Number(1.0), x);
  Number previous = cos(safe) / safe, current = sin(safe) / safe;
  for (unsigned k = 0; k < order; ++k) {
    const Number next = Number(2.0 * k + 1.0) / safe * current - previous;
    previous = current;
    current = next;
  }
  return select(small, result, current);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
