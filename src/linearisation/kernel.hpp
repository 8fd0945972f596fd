#pragma once
// What a matrix brings to zero. Only for the sources of this room.

#include "linearisation/own_eigen.hpp"

namespace dalembert::study {

/// Kernel of a matrix, [columns x dimension], orthonormal: singular values below `zero` times the
/// largest count as zero.
Eigen::MatrixXd kernel_of(const Eigen::MatrixXd& matrix, double zero);

}  // namespace dalembert::study
