#include "mechanics/numeric_rank.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/numeric/small_lu.hpp"

using namespace dalembert;

namespace {

/// The second difference, of which nothing is singular, with `corner` in the place of its last 2.
std::vector<double> second_difference(std::size_t n, double corner) {
  std::vector<double> matrix(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * n + i] = i + 1 < n ? 2.0 : corner;
    if (i + 1 < n) matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1.0;
  }
  return matrix;
}

}  // namespace

TEST_CASE(
    "Pivots of a large matrix with zeros are those of the elimination without regard to them") {
  constexpr int n = 40;
  std::vector<double> scaled = second_difference(n, 2.0), pivot(n);
  for (double& entry : scaled) entry /= 2.0;
  const double whole = numeric::lu_factor(n, scaled.data(), pivot.data()).pivot_ratio;
  CHECK(std::fabs(pivot_ratio(second_difference(n, 2.0), n) - whole) < 1e-14);
  // The determinant of the second difference with a corner c is n c - (n - 1).
  CHECK(pivot_ratio(second_difference(n, (n - 1.0) / n), n) < 1e-13);
}

TEST_CASE("A row is independent of others as far as it leaves their span") {
  std::vector<double> rows{1, 0, 0, 0, 2, 0, 3, 4, 12}, lengths;
  CHECK(independent_part(rows, lengths, 0, 3) == 1.0);
  CHECK(independent_part(rows, lengths, 1, 3) == 1.0);
  CHECK(std::fabs(independent_part(rows, lengths, 2, 3) - 12.0 / 13.0) < 1e-15);
  CHECK(lengths == std::vector<double>{1, 4, 144});
}
