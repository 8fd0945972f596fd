#include "problem/nearest_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {
namespace {

using Square = std::array<std::array<double, 4>, 4>;

/// q.N q is the trace of R(q)^T R.
Square davenport(const std::array<double, 9>& r) {
  return {{{r[0] + r[4] + r[8], r[7] - r[5], r[2] - r[6], r[3] - r[1]},
           {r[7] - r[5], r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6]},
           {r[2] - r[6], r[1] + r[3], r[4] - r[0] - r[8], r[5] + r[7]},
           {r[3] - r[1], r[2] + r[6], r[5] + r[7], r[8] - r[0] - r[4]}}};
}

/// One rotation in the plane (p, q) that makes the entry (p, q) zero; `vectors` turn with it.
void rotate(Square& a, Square& vectors, std::size_t p, std::size_t q) {
  if (a[p][q] == 0.0) return;
  const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
  const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
  const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
  const auto turn = [c, s](double& x, double& y) {
    const double before = x;
    x = c * before - s * y;
    y = s * before + c * y;
  };
  for (std::size_t k = 0; k < 4; ++k) turn(a[k][p], a[k][q]);
  for (std::size_t k = 0; k < 4; ++k) turn(a[p][k], a[q][k]);
  for (std::size_t k = 0; k < 4; ++k) turn(vectors[k][p], vectors[k][q]);
  a[p][q] = a[q][p] = 0.0;
}

/// The sign of a quaternion is free: the first entry that is not zero is positive.
void choose_sign(std::array<double, 4>& quaternion) {
  for (const double leading : quaternion) {
    if (leading == 0.0) continue;
    if (leading > 0.0) return;
    break;
  }
  for (double& entry : quaternion) entry = -entry;
}

}  // namespace

double rotation_defect(const std::array<double, 9>& matrix) {
  double largest = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double product = i == j ? -1.0 : 0.0;
      for (std::size_t k = 0; k < 3; ++k) product += matrix[3 * k + i] * matrix[3 * k + j];
      largest = numeric::larger(largest, std::fabs(product));
    }
  }
  return largest;
}

double determinant(const std::array<double, 9>& m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
         m[2] * (m[3] * m[7] - m[4] * m[6]);
}

NearestRotation nearest_rotation(const std::array<double, 9>& matrix) {
  Square a = davenport(matrix);
  Square vectors{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  constexpr int sweeps = 16;  // convergence is quadratic
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t p = 0; p < 4; ++p) {
      for (std::size_t q = p + 1; q < 4; ++q) rotate(a, vectors, p, q);
    }
  }
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) { return a[i][i] > a[j][j]; });
  NearestRotation result{};
  for (std::size_t k = 0; k < 4; ++k) result.quaternion[k] = vectors[k][order[0]];
  choose_sign(result.quaternion);
  const double gap = a[order[0]][order[0]] - a[order[1]][order[1]];
  constexpr double least_gap = 1e-6;  // relative: what round-off of the entries may decide
  result.unique = gap > least_gap * std::fabs(a[order[0]][order[0]]);
  return result;
}

}  // namespace dalembert::study
