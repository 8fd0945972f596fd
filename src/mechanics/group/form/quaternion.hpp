#pragma once
// Unit quaternions, scalar first, that store rotations.

#include "dalembert/mechanics/group/group.hpp"
#include "mechanics/group/form/triple.hpp"

namespace dalembert {

/// p q, and the conjugate of q.
Vector quaternion_product(const Vector& p, const Vector& q);
Vector conjugate(const Vector& q);
/// q (3 - q.q)/2: of length 1 up to the square of its error.
Vector normalised_quaternion(const Vector& q);
/// Twice the vector part of k^-1 g: a rotation vector where both are near each other.
Vector quaternion_difference(const Vector& g, const Vector& k);
/// The rotation tau(x) of a retraction.
Vector quaternion_of(Retraction kind, const Triple<Expr>& x);
/// The rotation matrix, homogeneous of degree 2 in q, which maps the body to space.
Matrix rotation_matrix(const Vector& q);
/// The derivative of the entries of a rotation matrix (row after row, [9]) along the three body
/// axes: (R e_k^)_ij, [9 x 3].
Matrix rotation_rates(const Vector& entries);

}  // namespace dalembert
