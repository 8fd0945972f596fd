// What a Lobatto step does to the energy of passengers, exactly: doc/open-problems.md, problem 2.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dalembert/method/lobatto.hpp"

using namespace dalembert;

namespace {

using Numbers = std::vector<double>;
using Plane = std::array<double, 2>;

double product(const Plane& a, const Plane& b) { return a[0] * b[0] + a[1] * b[1]; }

/// Gaussian elimination with pivots; the rows are augmented by the right side.
Numbers solved(std::vector<Numbers> rows) {
  const std::size_t n = rows.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(rows[i][k]) > std::fabs(rows[best][k])) best = i;
    std::swap(rows[k], rows[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j <= n; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  Numbers x(n);
  for (std::size_t k = 0; k < n; ++k) x[k] = rows[k][n] / rows[k][k];
  return x;
}

/// A step of two unit oscillators with given covectors of the constraint at the stages and a given
/// first multiplier.
struct OscillatorStep {
  std::vector<Plane> position, velocity, reaction;
  Plane x{1.0, 0.4}, p{}, x1{}, p1{};
  LobattoTableaux tableaux;
  double h = 0.3;

  explicit OscillatorStep(int stages) : tableaux(lobatto_tableaux(stages)) {
    const auto s = static_cast<std::size_t>(stages);
    std::vector<Plane> covector;
    for (std::size_t i = 0; i < s; ++i)
      covector.push_back({1.0, std::sin(0.4 + 1.7 * tableaux.c[i].high)});
    p = {-0.8 * covector[0][1], 0.8};
    const Numbers u = solved(equations(covector));
    for (std::size_t i = 0; i < s; ++i) {
      position.push_back({u[2 * i], u[2 * i + 1]});
      velocity.push_back({u[2 * (s + i)], u[2 * (s + i) + 1]});
      reaction.push_back({u[4 * s + i] * covector[i][0], u[4 * s + i] * covector[i][1]});
    }
    for (std::size_t k = 0; k < 2; ++k) {
      x1[k] = x[k];
      p1[k] = p[k];
      for (std::size_t j = 0; j < s; ++j) {
        x1[k] += h * tableaux.b[j].high * velocity[j][k];
        p1[k] += h * tableaux.b[j].high * (reaction[j][k] - position[j][k]);
      }
    }
  }

  /// Rows for Q, V and Lambda, with the right side at the end.
  std::vector<Numbers> equations(const std::vector<Plane>& covector) const {
    const std::size_t s = covector.size(), n = 5 * s;
    std::vector<Numbers> rows(n, Numbers(n + 1, 0.0));
    for (std::size_t i = 0; i < s; ++i) {
      Numbers& multiplier = rows[4 * s + i];
      for (std::size_t k = 0; k < 2; ++k) {
        Numbers& q = rows[2 * i + k];
        Numbers& v = rows[2 * (s + i) + k];
        q[2 * i + k] = v[2 * (s + i) + k] = 1.0;
        q[n] = x[k];
        v[n] = p[k];
        for (std::size_t j = 0; j < s; ++j) {
          const double a = h * tableaux.a[i][j].high, a_hat = h * tableaux.a_hat[i][j].high;
          q[2 * (s + j) + k] -= a;
          v[2 * j + k] += a_hat;
          v[4 * s + j] -= a_hat * covector[j][k];
          if (i == 0) continue;
          multiplier[2 * j + k] -= a * covector[i][k];
          multiplier[4 * s + j] += a * covector[i][k] * covector[j][k];
        }
        if (i > 0) multiplier[n] -= covector[i][k] * p[k];
      }
    }
    rows[4 * s][4 * s] = 1.0;
    rows[4 * s][n] = 0.7;  // any multiplier
    return rows;
  }

  double change_of_energy() const {
    return (product(x1, x1) + product(p1, p1) - product(x, x) - product(p, p)) / 2.0;
  }
};

/// P_k(2 c - 1).
double legendre(std::size_t k, double c) {
  const double t = 2.0 * c - 1.0;
  double before = 1.0, now = t;
  if (k == 0) return 1.0;
  for (std::size_t n = 1; n < k; ++n) {
    const double m = static_cast<double>(n);
    const double next = ((2.0 * m + 1.0) * t * now - m * before) / (m + 1.0);
    before = now;
    now = next;
  }
  return now;
}

/// sum_i b_i P_k(2 c_i - 1) values_i.
Plane moment_of(const LobattoTableaux& t, std::size_t k, const std::vector<Plane>& values) {
  Plane sum{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double weight = t.b[i].high * legendre(k, t.c[i].high);
    sum[0] += weight * values[i][0];
    sum[1] += weight * values[i][1];
  }
  return sum;
}

/// b_i b_j - b_i a_ij - b_j a_ji.
double defect_of(const LobattoTableaux& t, std::size_t i, std::size_t j) {
  return (t.b[i] * t.b[j] - t.b[i] * t.a[i][j] - t.b[j] * t.a[j][i]).high;
}

constexpr double round_off = 1e-13;  // of sums of some ten terms of size one

}  // namespace

TEST_CASE("The matrix of a Lobatto step's energy pairs two Legendre polynomials") {
  for (int stages = 2; stages <= 8; ++stages) {
    CAPTURE(stages);
    const LobattoTableaux t = lobatto_tableaux(stages);
    const auto s = static_cast<std::size_t>(stages);
    double worst = 0.0;
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t j = 0; j < s; ++j) {
        const auto p = [&](std::size_t k, std::size_t at) {
          return t.b[at].high * legendre(k, t.c[at].high);
        };
        const double expected = -(p(s - 1, i) * p(s - 2, j) + p(s - 2, i) * p(s - 1, j)) / 2.0;
        worst = std::max(worst, std::fabs(defect_of(t, i, j) - expected));
      }
    }
    CHECK(worst < round_off);
    CHECK(std::fabs(defect_of(t, 0, 0)) > 1e-4);
  }
}

TEST_CASE("A Lobatto step changes the energy of passengers by products of two moments") {
  for (int stages = 2; stages <= 6; ++stages) {
    CAPTURE(stages);
    const OscillatorStep step(stages);
    const auto s = static_cast<std::size_t>(stages);
    const auto pair = [&](const std::vector<Plane>& values) {
      return product(moment_of(step.tableaux, s - 1, values),
                     moment_of(step.tableaux, s - 2, values));
    };
    const Plane velocity = moment_of(step.tableaux, s - 1, step.velocity);
    CHECK(std::fabs(velocity[0]) + std::fabs(velocity[1]) < round_off);
    const double expected = -step.h * step.h / 2.0 * (pair(step.reaction) - pair(step.position));
    CHECK(std::fabs(step.change_of_energy() - expected) < round_off);
    CHECK(std::fabs(step.change_of_energy()) > 1e-8);
  }
}

TEST_CASE("With two stages the change of energy is a difference of two nodes") {
  const OscillatorStep step(2);
  const auto at = [](const Plane& reaction, const Plane& x) {
    return product(reaction, reaction) - product(x, x);
  };
  const double kept =
      step.change_of_energy() +
      step.h * step.h / 8.0 * (at(step.reaction[1], step.x1) - at(step.reaction[0], step.x));
  CHECK(std::fabs(kept) < round_off);
}
