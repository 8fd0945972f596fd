#include "dalembert/expression/constant.hpp"

#include <cmath>

namespace dalembert {
namespace {
/// The exact sum of two doubles (Knuth).
Constant two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// The exact product of two doubles.
Constant two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}
Constant normalized(double high, double low) {
  const double sum = high + low;
  return std::isfinite(sum) ? Constant{sum, low - (sum - high)} : Constant{sum, 0.0};
}
}  // namespace

Constant operator-(Constant a) { return {-a.high, -a.low}; }

Constant operator+(Constant a, Constant b) {
  const Constant high = two_sum(a.high, b.high);
  const Constant low = two_sum(a.low, b.low);
  const Constant sum = normalized(high.high, high.low + low.high);
  return normalized(sum.high, sum.low + low.low);
}

Constant operator-(Constant a, Constant b) { return a + (-b); }

Constant operator*(Constant a, Constant b) {
  const Constant product = two_product(a.high, b.high);
  return normalized(product.high, product.low + (a.high * b.low + a.low * b.high));
}

Constant operator/(Constant a, Constant b) {
  const double first = a.high / b.high;
  if (!std::isfinite(first)) return {first, 0.0};
  const Constant rest = a - b * Constant{first};
  const double second = rest.high / b.high;
  const Constant remainder = rest - b * Constant{second};
  const Constant quotient = normalized(first, second);
  return quotient + Constant{remainder.high / b.high};
}

Constant sqrt(Constant a) {
  const double root = std::sqrt(a.high);
  if (!(root > 0.0) || !std::isfinite(root)) return {root, 0.0};
  const Constant rest = a - two_product(root, root);
  return normalized(root, rest.high / (2.0 * root));
}

}  // namespace dalembert
