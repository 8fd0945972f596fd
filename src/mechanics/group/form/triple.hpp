#pragma once
// Three numbers of a kind, and their products. Parts of an expression are built one statement after
// the other, because compilers evaluate operands in different orders, and nodes are numbered as
// they are built.

#include <array>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// Expressions, or numbers with a slope.
template <class Scalar>
using Triple = std::array<Scalar, 3>;

/// a b - c d.
template <class Scalar>
Scalar difference_of_products(const Scalar& a, const Scalar& b, const Scalar& c, const Scalar& d) {
  const Scalar right = c * d;
  const Scalar left = a * b;
  return left - right;
}

/// x cross u.
template <class Scalar>
Triple<Scalar> cross(const Triple<Scalar>& x, const Triple<Scalar>& u) {
  return {difference_of_products(x[1], u[2], x[2], u[1]),
          difference_of_products(x[2], u[0], x[0], u[2]),
          difference_of_products(x[0], u[1], x[1], u[0])};
}

template <class Scalar>
Scalar dot(const Triple<Scalar>& x, const Triple<Scalar>& u) {
  Scalar sum = x[0] * u[0];
  for (std::size_t i = 1; i < 3; ++i) {
    const Scalar term = x[i] * u[i];
    sum = sum + term;
  }
  return sum;
}

/// u + factor y.
template <class Scalar>
Triple<Scalar> add_multiple(const Triple<Scalar>& u, const Scalar& factor,
                            const Triple<Scalar>& y) {
  Triple<Scalar> result;
  for (std::size_t i = 0; i < 3; ++i) {
    const Scalar term = factor * y[i];
    result[i] = u[i] + term;
  }
  return result;
}

/// u - factor y.
template <class Scalar>
Triple<Scalar> subtract_multiple(const Triple<Scalar>& u, const Scalar& factor,
                                 const Triple<Scalar>& y) {
  Triple<Scalar> result;
  for (std::size_t i = 0; i < 3; ++i) {
    const Scalar term = factor * y[i];
    result[i] = u[i] - term;
  }
  return result;
}

/// Three entries of a vector.
inline Triple<Expr> triple(const Vector& x, std::size_t offset = 0) {
  return {x[offset], x[offset + 1], x[offset + 2]};
}
inline Vector to_vector(const Triple<Expr>& x) { return {x[0], x[1], x[2]}; }
inline Vector to_vector(const Triple<Expr>& x, const Triple<Expr>& y) {
  return {x[0], x[1], x[2], y[0], y[1], y[2]};
}

}  // namespace dalembert
