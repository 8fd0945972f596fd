#pragma once
// Eigenvalues and eigenvectors of a small real matrix. Only for the sources of this room. Written
// here because the core has no third-party code: templates of a library would be one with a user's
// copies of them, compiled with options of his own (tool/check_arithmetic).

#include <complex>
#include <cstddef>
#include <vector>

namespace dalembert {

struct SmallEigenvalues {
  std::vector<std::complex<double>> values;
  std::vector<std::vector<std::complex<double>>> vectors;  ///< of length one, one for each value
};

/// By the QR iteration with Wilkinson's shifts in complex numbers, vectors by inverse iteration.
/// `a` is n x n, by rows. Accuracy: round-off times the condition of each eigenvalue. Values are
/// nan where the iteration does not end.
SmallEigenvalues small_eigenvalues(const std::vector<double>& a, std::size_t n);

/// x with a x = b for complex numbers, by elimination with row pivoting; a is n x n, by rows.
std::vector<std::complex<double>> solve_complex(std::vector<std::complex<double>> a,
                                                std::vector<std::complex<double>> b);

}  // namespace dalembert
