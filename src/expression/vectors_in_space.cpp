#include "dalembert/expression/vectors_in_space.hpp"

namespace dalembert {

Vector cross(const Vector& x, const Vector& y) {
  require_size("the first factor of a vector product", x.size(), 3);
  require_size("the second factor of a vector product", y.size(), 3);
  Vector result(3);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const Expr forward = x[j] * y[k];
    const Expr backward = x[k] * y[j];
    result[i] = forward - backward;
  }
  return result;
}

Vector rotated(const Vector& axis, const Expr& angle, const Vector& x) {
  const Expr length = sqrt(dot(axis, axis));
  Vector unit;
  for (const Expr& entry : axis) unit.push_back(entry / length);
  const Expr cosine = cos(angle), parallel = dot(unit, x);
  const Vector sideways = cross(unit, x);
  const Vector kept = cosine * x, turned = sin(angle) * sideways;
  const Vector along = (1.0 - cosine) * parallel * unit;
  const Vector across = kept + turned;
  return across + along;
}

Vector AffineMap::operator()(const Vector& u) const {
  const Vector turned = linear * u;
  return offset + turned;
}

}  // namespace dalembert
