#pragma once
// Motions of space by a rotation vector and a translation, x = (phi, rho), shape [6]: the formulas
// of rotations on the dual numbers phi + epsilon rho. Momenta (m, p) are the dual numbers p +
// epsilon m, so that the product with a velocity is the slope of a product. Both retractions are
// those of the adjoint representation.

#include "dalembert/mechanics/group/group.hpp"

namespace dalembert {

/// The translation of tau(x): T(-phi) rho.
Vector translation_of(Retraction kind, const Vector& x);
/// T(x) u, T(x)^T m, T(x)^-1 eta, S(x)^T m, Ad*_{tau(sign x)} mu.
Vector motion_tangent(Retraction kind, const Vector& x, const Vector& u);
Vector motion_tangent_transpose(Retraction kind, const Vector& x, const Vector& m);
Vector motion_tangent_inverse(Retraction kind, const Vector& x, const Vector& eta);
Vector motion_ray_tangent_transpose(Retraction kind, const Vector& x, const Vector& m);
Vector motion_transport(Retraction kind, const Vector& x, const Vector& mu, int sign);

}  // namespace dalembert
