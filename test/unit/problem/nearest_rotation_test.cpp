#include "problem/nearest_rotation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "support/round_off.hpp"

using namespace dalembert::study;

namespace {

using Quaternion = std::array<double, 4>;
using Nine = std::array<double, 9>;

Nine matrix_of(const Quaternion& q) {
  const auto [a, b, c, d] = q;
  return {
      a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
      2 * (b * c + a * d),           a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
      2 * (b * d - a * c),           2 * (c * d + a * b),           a * a - b * b - c * c + d * d};
}

Quaternion unit(Quaternion q) {
  double square = 0.0;
  for (const double x : q) square += x * x;
  for (double& x : q) x /= std::sqrt(square);
  return q;
}

double distance(const Nine& x, const Nine& y) {
  double square = 0.0;
  for (std::size_t i = 0; i < 9; ++i) square += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(square);
}

Quaternion random_quaternion(std::mt19937& generator) {
  std::normal_distribution<double> normal;
  return unit({normal(generator), normal(generator), normal(generator), normal(generator)});
}

}  // namespace

TEST_CASE("a rotation is its own nearest one") {
  // Nine entries, each a sum of four or five products that are 1 at most, here and there.
  constexpr double tolerance = test_support::round_off_of(9.0 * 5.0);
  std::mt19937 generator(1);
  for (int k = 0; k < 200; ++k) {
    const Nine rotation = matrix_of(random_quaternion(generator));
    const NearestRotation nearest = nearest_rotation(rotation);
    CHECK(nearest.unique);
    CHECK(nearest.quaternion[0] >= 0.0);
    CHECK(distance(matrix_of(nearest.quaternion), rotation) < tolerance);
    CHECK(rotation_defect(rotation) < tolerance);
    CHECK(std::fabs(determinant(rotation) - 1.0) < tolerance);
  }
}

TEST_CASE("no rotation nearby is nearer, also where the determinant is negative") {
  std::mt19937 generator(2);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 50; ++k) {
    Nine matrix{};
    for (double& entry : matrix) entry = normal(generator);
    const Quaternion found = nearest_rotation(matrix).quaternion;
    const double best = distance(matrix_of(found), matrix);
    for (int j = 0; j < 50; ++j) {
      CHECK(distance(matrix_of(random_quaternion(generator)), matrix) >= best);
      Quaternion near = found;
      for (double& x : near) x += 1e-3 * normal(generator);
      CHECK(distance(matrix_of(unit(near)), matrix) >= best);
    }
  }
}

TEST_CASE("where two rotations are equally near, that is said") {
  CHECK(!nearest_rotation(Nine{}).unique);
  CHECK(!nearest_rotation({1, 0, 0, 0, 1, 0, 0, 0, -1}).unique);
}
