#pragma once
// Dual numbers of expressions, value + epsilon slope with epsilon^2 = 0: a value and its derivative
// in one direction.

#include "dalembert/expression/expr.hpp"

namespace dalembert {

struct DualExpression {
  Expr value = 0.0, slope = 0.0;

  DualExpression() = default;
  explicit DualExpression(double constant) : value(constant) {}
  DualExpression(Expr of, Expr along) : value(std::move(of)), slope(std::move(along)) {}
};

inline DualExpression operator+(const DualExpression& x, const DualExpression& y) {
  const Expr slope = x.slope + y.slope;
  return {x.value + y.value, slope};
}
inline DualExpression operator+(double x, const DualExpression& y) {
  return {x + y.value, y.slope};
}
inline DualExpression operator-(const DualExpression& x, const DualExpression& y) {
  const Expr slope = x.slope - y.slope;
  return {x.value - y.value, slope};
}
inline DualExpression operator*(const DualExpression& x, const DualExpression& y) {
  const Expr right = x.slope * y.value;
  const Expr left = x.value * y.slope;
  const Expr slope = left + right;
  return {x.value * y.value, slope};
}
inline DualExpression operator*(double x, const DualExpression& y) {
  const Expr slope = x * y.slope;
  return {x * y.value, slope};
}

inline Expr reciprocal(const Expr& x) { return 1.0 / x; }
inline DualExpression reciprocal(const DualExpression& x) {
  const Expr value = reciprocal(x.value);
  const Expr factor = value * value;
  return {value, -(factor * x.slope)};
}

inline DualExpression sinc_root(const DualExpression& t, int order) {
  if (t.slope.is_constant(0.0)) return {sinc_root(t.value, order), 0.0};
  const Expr next = sinc_root(t.value, order + 1);
  return {sinc_root(t.value, order), -0.5 * (next * t.slope)};
}

}  // namespace dalembert
