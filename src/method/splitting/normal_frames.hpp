#pragma once
// Directions along and across linear constraints a x' = 0 in the metric of a constant mass, as
// expressions. Only for the sources of this room.

#include <cstddef>
#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// M^-1 a^T L^-T with L L^T = a M^-1 a^T: columns orthonormal in the mass that span what is normal
/// to all admissible x'. Rows of `a` must be independent.
Matrix unit_normals(const Matrix& a, const Matrix& mass);

/// The rotation in the metric of the mass that turns the normals n0 into the span of n1 by their
/// principal angles and moves nothing else, applied to x' with n0^T M x' = 0. It keeps |x'|_M, its
/// result is normal to n1 whatever x' is, it depends on the two spans alone, and exchanged ends
/// give its inverse. Angles below a right angle.
Vector carried_velocity(const Matrix& n0, const Matrix& n1, const Matrix& mass,
                        const Vector& x_dot);

/// Conditions on x' that lie halfway between the linear ones whose residuals are r0 and r1, with
/// matrices a0 and a1: L0^-1 r0 + Q L1^-1 r1 with L L^T = a M^-1 a^T and the orthogonal matrix Q
/// for which the normals at the end are nearest to those at the start. The admissible x' make equal
/// angles with those of both ends; exchanged ends, and other rows for the same conditions, give the
/// same. Angles below a right angle.
Vector bisecting_conditions(const Matrix& a0, const Vector& r0, const Matrix& a1, const Vector& r1,
                            const Matrix& mass);

/// The unit vector along all admissible x' where a has one row less than columns, up to its sign,
/// which is smooth in a. Empty if a has another shape or too many columns.
Vector unit_direction(const Matrix& a, const Matrix& mass);

/// Admissible x', one for each coordinate that the constraints leave free: that coordinate's own
/// velocity is 1, those of the other free ones are 0. `responses` are the changes of x' by a unit
/// impulse along each, M^-1 less what the constraints take.
struct KernelBasis {
  std::vector<std::size_t> free;
  Matrix directions, responses;  ///< n x k
};
/// Nothing (no free coordinates) unless entries of `a` to solve by are provably not zero.
KernelBasis kernel_basis(const Matrix& a, const Matrix& mass);

}  // namespace dalembert
