#include "mechanics/group/form/quaternion.hpp"

namespace dalembert {
namespace {

/// The sum of two products, its parts in a fixed order.
Expr sum_of_two(const Expr& a, const Expr& b, const Expr& c, const Expr& d) {
  const Expr right = c * d;
  const Expr left = a * b;
  return left + right;
}

}  // namespace

Vector quaternion_product(const Vector& p, const Vector& q) {
  const Triple<Expr> left = triple(p, 1), right = triple(q, 1);
  const Expr inner = dot(left, right);
  const Triple<Expr> turned = cross(left, right);
  const Expr scalars = p[0] * q[0];
  Vector result{scalars - inner};
  for (std::size_t i = 0; i < 3; ++i) {
    const Expr mixed = sum_of_two(p[0], right[i], q[0], left[i]);
    result.push_back(mixed + turned[i]);
  }
  return result;
}

Vector conjugate(const Vector& q) { return {q[0], -q[1], -q[2], -q[3]}; }

Vector normalised_quaternion(const Vector& q) {
  const Expr length = 0.5 * dot(q, q);
  return (1.5 - length) * q;
}

Vector quaternion_difference(const Vector& g, const Vector& k) {
  return 2.0 * slice(quaternion_product(conjugate(k), g), 1, 3);
}

Vector quaternion_of(Retraction kind, const Triple<Expr>& x) {
  const Expr quarter = 0.25 * dot(x, x);
  Expr scalar, factor;
  if (kind == Retraction::cayley) {
    scalar = 1.0 / sqrt(1.0 + quarter);
    factor = 0.5 * scalar;
  } else {
    scalar = sinc_root(quarter, -1);
    factor = 0.5 * sinc_root(quarter, 0);
  }
  return {scalar, factor * x[0], factor * x[1], factor * x[2]};
}

Matrix rotation_matrix(const Vector& q) {
  const Expr s00 = q[0] * q[0], s11 = q[1] * q[1], s22 = q[2] * q[2], s33 = q[3] * q[3];
  Matrix r(3, 3);
  const Expr first_sum = s00 + s11, first_rest = s22 + s33;
  r(0, 0) = first_sum - first_rest;
  const Expr outer = s00 - s11, inner = s22 - s33;
  r(1, 1) = outer + inner;
  r(2, 2) = outer - inner;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const Expr along = q[i + 1] * q[j + 1], about = q[0] * q[k + 1];
    const Expr sum = along + about, difference = along - about;
    r(j, i) = 2.0 * sum;
    r(i, j) = 2.0 * difference;
  }
  return r;
}

Matrix rotation_rates(const Vector& entries) {
  // Column j of R e_k^ is R (e_k cross e_j): minus or plus a column of R.
  Matrix result(9, 3);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
      result(3 * row + next, k) = entries[3 * row + last];
      result(3 * row + last, k) = -entries[3 * row + next];
    }
  }
  return result;
}

}  // namespace dalembert
