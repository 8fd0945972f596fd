#pragma once
// The principal logarithm of a small matrix. Only for the sources of this room.

#include <cstddef>
#include <vector>

namespace dalembert {

/// The logarithm of an n x n matrix, by rows, whose eigenvalues have arguments between -pi and pi:
/// square roots by the iteration of Denman and Beavers until the matrix is near one, then the
/// series of the inverse hyperbolic tangent. nan where a root does not exist. Source: [Higham2008],
/// Chap. 6 and 11. Accuracy: round-off times the condition of the roots, which is large only for
/// eigenvalues near the negative axis.
std::vector<double> matrix_logarithm(std::vector<double> a, std::size_t n);

}  // namespace dalembert
