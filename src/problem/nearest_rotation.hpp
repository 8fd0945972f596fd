#pragma once

#include <array>

namespace dalembert::study {

/// The largest entry of |R^T R - 1|, and the determinant. Shape: rows of 3 entries.
double rotation_defect(const std::array<double, 9>& matrix);
double determinant(const std::array<double, 9>& matrix);

/// The unit quaternion (scalar first, and >= 0) of the rotation, of determinant 1, nearest to a
/// matrix in the sum of squares; whether there is but one.
struct NearestRotation {
  std::array<double, 4> quaternion;
  bool unique;
};
/// Davenport's: the quaternion is the eigenvector of the largest eigenvalue of a symmetric 4 x 4
/// matrix, found by Jacobi's rotations.
NearestRotation nearest_rotation(const std::array<double, 9>& matrix);

}  // namespace dalembert::study
