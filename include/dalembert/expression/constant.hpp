#pragma once

#include <cmath>

namespace dalembert {

/// A real constant as an unevaluated sum `high + low` of two doubles: about 106 significant bits,
/// so that coefficients such as 1/3 keep their meaning in extended precision. `high` is the double
/// nearest to the value.
struct Constant {
  double high = 0.0;
  double low = 0.0;

  /// The value in any number type that doubles convert to.
  template <class Number>
  Number as() const {
    return Number(high) + Number(low);
  }
  friend bool operator==(const Constant&, const Constant&) = default;
};

namespace constant_detail {
/// The exact sum of two doubles (Knuth).
inline Constant two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// The exact product of two doubles.
inline Constant two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}
inline Constant normalized(double high, double low) {
  const double sum = high + low;
  return std::isfinite(sum) ? Constant{sum, low - (sum - high)} : Constant{sum, 0.0};
}
}  // namespace constant_detail

inline Constant operator-(Constant a) { return {-a.high, -a.low}; }

inline Constant operator+(Constant a, Constant b) {
  const Constant high = constant_detail::two_sum(a.high, b.high);
  const Constant low = constant_detail::two_sum(a.low, b.low);
  const Constant sum = constant_detail::normalized(high.high, high.low + low.high);
  return constant_detail::normalized(sum.high, sum.low + low.low);
}

inline Constant operator-(Constant a, Constant b) { return a + (-b); }

inline Constant operator*(Constant a, Constant b) {
  const Constant product = constant_detail::two_product(a.high, b.high);
  return constant_detail::normalized(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline Constant operator/(Constant a, Constant b) {
  const double first = a.high / b.high;
  if (!std::isfinite(first)) return {first, 0.0};
  const Constant rest = a - b * Constant{first};
  const double second = rest.high / b.high;
  const Constant remainder = rest - b * Constant{second};
  const Constant quotient = constant_detail::normalized(first, second);
  return quotient + Constant{remainder.high / b.high};
}

inline Constant sqrt(Constant a) {
  const double root = std::sqrt(a.high);
  if (!(root > 0.0) || !std::isfinite(root)) return {root, 0.0};
  const Constant rest = a - constant_detail::two_product(root, root);
  return constant_detail::normalized(root, rest.high / (2.0 * root));
}

/// pi to about 106 bits.
inline constexpr Constant pi_constant{3.141592653589793116, 1.224646799147353207e-16};

}  // namespace dalembert
