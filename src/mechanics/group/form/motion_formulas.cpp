#include "mechanics/group/form/motion_formulas.hpp"

#include "mechanics/group/form/rotation_formulas.hpp"

namespace dalembert {
namespace {

using DualTriple = Triple<DualExpression>;

/// The entries of `values` with those of `slopes` as slopes.
DualTriple dual(const Vector& x, std::size_t values, std::size_t slopes) {
  DualTriple result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = {x[values + i], x[slopes + i]};
  return result;
}

DualTriple dual_velocity(const Vector& u) { return dual(u, 0, 3); }
DualTriple dual_momentum(const Vector& m) { return dual(m, 3, 0); }

Triple<Expr> values_of(const DualTriple& x) { return {x[0].value, x[1].value, x[2].value}; }
Triple<Expr> slopes_of(const DualTriple& x) { return {x[0].slope, x[1].slope, x[2].slope}; }
Vector velocity_of(const DualTriple& u) { return to_vector(values_of(u), slopes_of(u)); }
Vector momentum_of(const DualTriple& m) { return to_vector(slopes_of(m), values_of(m)); }

}  // namespace

Vector translation_of(Retraction kind, const Vector& x) {
  return to_vector(rotation_tangent(kind, triple(x), triple(x, 3), -1));
}

Vector motion_tangent(Retraction kind, const Vector& x, const Vector& u) {
  return velocity_of(rotation_tangent(kind, dual_velocity(x), dual_velocity(u), 1));
}

Vector motion_tangent_transpose(Retraction kind, const Vector& x, const Vector& m) {
  return momentum_of(rotation_tangent(kind, dual_velocity(x), dual_momentum(m), -1));
}

Vector motion_tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) {
  return velocity_of(rotation_tangent_inverse(kind, dual_velocity(x), dual_velocity(eta)));
}

Vector motion_ray_tangent_transpose(Retraction kind, const Vector& x, const Vector& m) {
  return momentum_of(rotation_ray_tangent(kind, dual_velocity(x), dual_momentum(m)));
}

Vector motion_transport(Retraction kind, const Vector& x, const Vector& mu, int sign) {
  return momentum_of(rotated(kind, dual_velocity(x), dual_momentum(mu), -sign));
}

}  // namespace dalembert
