#include "measure/matrix_logarithm.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

#include "unit/numeric/support.hpp"

using dalembert::matrix_logarithm;

namespace {

using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

Square logarithm(const Square& a) {
  const std::vector<double> values =
      matrix_logarithm({a.data(), a.data() + a.size()}, static_cast<std::size_t>(a.rows()));
  return Eigen::Map<const Square>(values.data(), a.rows(), a.cols());
}

/// The exponential of a random matrix with entries up to `size`: its eigenvalues stay away from the
/// negative axis as long as n * size < pi.
Square random_exponential(numeric_test::Random& random, Eigen::Index n, double size) {
  Square a(n, n);
  for (Eigen::Index i = 0; i < a.size(); ++i) a.data()[i] = random.uniform(-size, size);
  return a.exp();
}

}  // namespace

TEST_CASE("Logarithms of random matrices agree with those of Eigen") {
  numeric_test::Random random{11};
  for (const Eigen::Index n : {1, 2, 3, 4, 6}) {
    for (int k = 0; k < 20; ++k) {
      const Square a = random_exponential(random, n, 0.5);
      const Square expected = a.log(), found = logarithm(a);
      // Each of about five roots and the series lose n units of round-off of a well conditioned
      // matrix; the factor is the condition, below exp(2 n size) = exp(6) for the largest.
      CHECK((found - expected).cwiseAbs().maxCoeff() <
            400.0 * 8.0 * static_cast<double>(n) * epsilon);
    }
  }
}

TEST_CASE("The logarithm of a rotation is its angle") {
  for (const double angle : {0.3, 1.5, 3.0}) {
    Square turn(2, 2);
    turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    const Square found = logarithm(turn);
    CHECK(std::fabs(found(1, 0) - angle) < 32 * epsilon * angle);
    CHECK(std::fabs(found(0, 0)) < 32 * epsilon);
  }
}

TEST_CASE("A matrix with a negative eigenvalue has no logarithm") {
  CHECK(std::isnan(matrix_logarithm({-1.0, 0.0, 0.0, 1.0}, 2).front()));
  CHECK(std::isnan(matrix_logarithm({-2.0}, 1).front()));
}
