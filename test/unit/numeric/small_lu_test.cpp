#include "dalembert/numeric/small_lu.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_ldlt.hpp"
#include "support/round_off.hpp"
#include "unit/numeric/support.hpp"

namespace dn = dalembert::numeric;
using dn::Lanes;
using numeric_test::Random;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// max |a x - b| / (max |a| max |x|): the backward error.
double backward_error(const std::vector<double>& a, const std::vector<double>& x,
                      const std::vector<double>& b) {
  const std::size_t n = b.size();
  double residual = 0.0, largest_a = 0.0, largest_x = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    long double r = b[i];
    for (std::size_t j = 0; j < n; ++j) {
      r -= static_cast<long double>(a[i * n + j]) * x[j];
      largest_a = dalembert::numeric::larger(largest_a, std::abs(a[i * n + j]));
    }
    residual = dalembert::numeric::larger(residual, static_cast<double>(std::abs(r)));
    largest_x = dalembert::numeric::larger(largest_x, std::abs(x[i]));
  }
  return residual / (largest_a * largest_x);
}

std::vector<double> random_values(Random& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = random.uniform(-1.0, 1.0);
  return values;
}

}  // namespace

TEST_CASE("LU solves random systems with a backward error of round-off") {
  Random random{21};
  for (const int n : {1, 2, 3, 4, 7, 12, 30, 100}) {
    CAPTURE(n);
    const std::size_t size = static_cast<std::size_t>(n);
    const std::vector<double> a = random_values(random, size * size);
    const std::vector<double> b = random_values(random, size);
    std::vector<double> lu = a, x = b, pivot(size);
    const auto report = dn::lu_factor(n, lu.data(), pivot.data());
    CHECK(!report.singular);
    CHECK(report.pivot_ratio > 0.0);
    CHECK(report.pivot_ratio <= 1.0);
    dn::lu_solve(n, lu.data(), pivot.data(), x.data());
    // Wilkinson: n eps times the growth factor, which random matrices keep below about n^(2/3).
    CHECK(backward_error(a, x, b) < 4.0 * n * epsilon);
  }
}

TEST_CASE("LU solves several right-hand sides as it solves each") {
  Random random{22};
  constexpr int n = 6, columns = 4;
  const auto a = random_values(random, n * n), b = random_values(random, n * columns);
  std::vector<double> lu = a, x = b, pivot(n);
  REQUIRE(!dn::lu_factor(n, lu.data(), pivot.data()).singular);
  dn::lu_solve(n, lu.data(), pivot.data(), x.data(), columns);
  for (std::size_t j = 0; j < columns; ++j) {
    std::vector<double> one(n);
    for (std::size_t i = 0; i < n; ++i) one[i] = b[i * columns + j];
    dn::lu_solve(n, lu.data(), pivot.data(), one.data());
    for (std::size_t i = 0; i < n; ++i) CHECK(one[i] == x[i * columns + j]);
  }
}

TEST_CASE("LU reproduces an exact solution with exchanges in every step") {
  // A cyclic permutation with weights: every pivot is below the diagonal, no rounding anywhere.
  std::vector<double> a = {0, 0, 4, 2, 0, 0, 0, 8, 0}, b = {4, 2, 8}, pivot(3);
  const auto report = dn::lu_factor(3, a.data(), pivot.data());
  dn::lu_solve(3, a.data(), pivot.data(), b.data());
  CHECK(!report.singular);
  CHECK(report.pivot_ratio == 0.25);
  for (const double x : b) CHECK(x == 1.0);
}

TEST_CASE("Lanes choose their own pivots and a singular lane leaves the others alone") {
  // Lane 0 needs no exchange, lanes 1 and 2 different ones, lane 3 is singular.
  const double matrices[4][9] = {{4, 1, 0, 1, 3, 1, 0, 1, 5},
                                 {0, 2, 1, 4, 1, 0, 1, 1, 8},
                                 {1, 0, 2, 0, 0, 4, 8, 1, 1},
                                 {1, 2, 3, 2, 4, 6, 1, 1, 1}};
  Lanes<4> a[9], b[3] = {1.0, 2.0, 3.0}, pivot[3];
  for (int k = 0; k < 9; ++k)
    for (int lane = 0; lane < 4; ++lane) a[k].set(lane, matrices[lane][k]);
  const auto report = dn::lu_factor(3, a, pivot);
  dn::lu_solve(3, a, pivot, b);
  for (int lane = 0; lane < 4; ++lane) {
    CAPTURE(lane);
    CHECK(report.singular.get(lane) == (lane == 3));
    if (lane == 3) {
      CHECK(report.pivot_ratio.get(lane) == 0.0);
      continue;
    }
    const std::vector<double> matrix(matrices[lane], matrices[lane] + 9);
    const std::vector<double> x = {b[0].get(lane), b[1].get(lane), b[2].get(lane)};
    CHECK(backward_error(matrix, x, {1, 2, 3}) < 4.0 * epsilon);
  }
  CHECK(pivot[0].get(0) == 0.0);
  CHECK(pivot[0].get(1) == 1.0);
  CHECK(pivot[0].get(2) == 2.0);
}

TEST_CASE("Singular, nan and empty matrices are reported") {
  double zero[4] = {0, 0, 0, 0}, nan_matrix[4] = {1, 2, std::nan(""), 4}, pivot[2];
  CHECK(dn::lu_factor(2, zero, pivot).singular);
  CHECK(dn::lu_factor(2, nan_matrix, pivot).singular);
  double nothing[1] = {};
  const auto report = dn::lu_factor(0, nothing, pivot);
  CHECK(!report.singular);
  CHECK(report.pivot_ratio == 1.0);
}

TEST_CASE("LDLt solves positive definite systems and reports the others") {
  Random random{23};
  for (const int n : {1, 2, 3, 5, 10, 40}) {
    CAPTURE(n);
    const std::size_t size = static_cast<std::size_t>(n);
    const auto root = random_values(random, size * size), b = random_values(random, size);
    std::vector<double> a(size * size);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k)
          a[i * size + j] += root[i * size + k] * root[j * size + k];
        if (i == j) a[i * size + j] += 0.1;
      }
    std::vector<double> factors = a, x = b;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i + 1; j < size; ++j) factors[i * size + j] = std::nan("");
    CHECK(!dn::ldlt_factor(n, factors.data()).singular);
    dn::ldlt_solve(n, factors.data(), x.data());
    // No growth for positive definite matrices: n eps and a small factor.
    CHECK(backward_error(a, x, b) < 4.0 * n * epsilon);
  }
  double indefinite[4] = {1, 0, 2, 1}, semidefinite[4] = {1, 0, 1, 1};
  CHECK(dn::ldlt_factor(2, indefinite).singular);
  CHECK(dn::ldlt_factor(2, semidefinite).singular);
}

TEST_CASE("LU works in other precisions") {
  // The matrix has the condition 56: two roundings, so much enlarged.
  using test_support::round_off_of;
  long double a[4] = {1, 3, 2, 5}, b[2] = {7, 12}, pivot[2];
  CHECK(!dn::lu_factor(2, a, pivot).singular);
  dn::lu_solve(2, a, pivot, b);
  CHECK(std::abs(b[0] - 1.0L) < round_off_of<long double>(2.0, 56.0));
  CHECK(std::abs(b[1] - 2.0L) < round_off_of<long double>(2.0, 56.0));
  using dalembert::study::Extended;
  Extended c[4] = {1, 3, 2, 5}, d[2] = {7, 12}, rows[2];
  CHECK(!dn::lu_factor(2, c, rows).singular);
  dn::lu_solve(2, c, rows, d);
  CHECK(abs(d[0] - 1) < round_off_of<Extended>(1.0, 56.0));
  CHECK(!dn::ldlt_factor(1, c).singular);
}
