#pragma once
/// \file
/// sinc(x) - 1 without cancellation, for differences of sines.

#include "numbers.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS {

/// sinc(x) - 1 and its derivative.
template <class Number>
struct SincChange {
  Number value, slope;
};

/// By the series where eight terms are enough for round-off.
template <class Number>
SincChange<Number> sinc_change(const Number& x) {
  // Coefficients of the series in x^2: (-1)^k / (2 k + 1)!.
  constexpr double c[] = {
      -1.0 / 6.0,        1.0 / 120.0,        -1.0 / 5040.0,          1.0 / 362880.0,
      -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0};
  const Number t = x * x;
  Number value = c[7], slope = 8.0 * c[7];
  for (int k = 6; k >= 0; --k) {
    value = c[k] + t * value;
    slope = (k + 1) * c[k] + t * slope;
  }
  const SincChange<Number> near{t * value, 2.0 * x * slope};
  const auto is_near = magnitude(x) < Number(1.0);
  if (all(is_near)) return near;
  const Number sine = sine_of(x), whole = sine / x;
  const Number cosine = sine_of(x + std::numbers::pi / 2.0);
  return {select(is_near, near.value, whole - 1.0),
          select(is_near, near.slope, (cosine - whole) / x)};
}

}  // namespace bench::DALEMBERT_BENCH_KERNELS
