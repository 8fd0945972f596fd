// What a Lobatto step does to the energy of passengers, exactly: doc/open-problems.md, problem 2.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "dalembert/method/lobatto.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"

using namespace dalembert;

namespace {

using Number = study::Extended;  // 113 bits: coefficients of tableaux have 106
using Numbers = std::vector<Number>;
using Plane = std::array<Number, 2>;

double size(const Number& x) { return std::fabs(static_cast<double>(x)); }

Number product(const Plane& a, const Plane& b) { return a[0] * b[0] + a[1] * b[1]; }

/// Gaussian elimination with pivots; the rows are augmented by the right side.
Numbers solved(std::vector<Numbers> rows) {
  const std::size_t n = rows.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (size(rows[i][k]) > size(rows[best][k])) best = i;
    std::swap(rows[k], rows[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Number factor = rows[i][k] / rows[k][k];
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
  Plane x{Number(1.0), Number(0.4)}, p{}, x1{}, p1{};
  LobattoTableaux tableaux;
  Number h = Number(0.3);

  explicit OscillatorStep(int stages) : tableaux(lobatto_tableaux(stages)) {
    const auto s = static_cast<std::size_t>(stages);
    std::vector<Plane> covector;
    for (std::size_t i = 0; i < s; ++i)
      covector.push_back({Number(1.0), Number(std::sin(0.4 + 1.7 * tableaux.c[i].high))});
    p = {-covector[0][1], Number(1.0)};
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
        x1[k] += h * tableaux.b[j].as<Number>() * velocity[j][k];
        p1[k] += h * tableaux.b[j].as<Number>() * (reaction[j][k] - position[j][k]);
      }
    }
  }

  /// Rows for Q, V and Lambda, with the right side at the end.
  std::vector<Numbers> equations(const std::vector<Plane>& covector) const {
    const std::size_t s = covector.size(), n = 5 * s;
    std::vector<Numbers> rows(n, Numbers(n + 1, Number(0.0)));
    for (std::size_t i = 0; i < s; ++i) {
      Numbers& multiplier = rows[4 * s + i];
      for (std::size_t k = 0; k < 2; ++k) {
        Numbers& q = rows[2 * i + k];
        Numbers& v = rows[2 * (s + i) + k];
        q[2 * i + k] = v[2 * (s + i) + k] = Number(1.0);
        q[n] = x[k];
        v[n] = p[k];
        for (std::size_t j = 0; j < s; ++j) {
          const Number a = h * tableaux.a[i][j].as<Number>(),
                       a_hat = h * tableaux.a_hat[i][j].as<Number>();
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
    rows[4 * s][4 * s] = Number(1.0);
    rows[4 * s][n] = Number(0.7);  // any multiplier
    return rows;
  }

  Number change_of_energy() const {
    return (product(x1, x1) + product(p1, p1) - product(x, x) - product(p, p)) / Number(2.0);
  }
};

/// P_k(2 c - 1).
Number legendre(std::size_t k, const Number& c) {
  const Number t = Number(2.0) * c - Number(1.0);
  Number before(1.0), now = t;
  if (k == 0) return before;
  for (std::size_t n = 1; n < k; ++n) {
    const Number m(static_cast<double>(n)), one(1.0);
    const Number next = ((m + m + one) * t * now - m * before) / (m + one);
    before = now;
    now = next;
  }
  return now;
}

/// sum_i b_i P_k(2 c_i - 1) values_i.
Plane moment_of(const LobattoTableaux& t, std::size_t k, const std::vector<Plane>& values) {
  Plane sum{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Number weight = t.b[i].as<Number>() * legendre(k, t.c[i].as<Number>());
    sum[0] += weight * values[i][0];
    sum[1] += weight * values[i][1];
  }
  return sum;
}

/// b_i b_j - b_i a_ij - b_j a_ji.
Number defect_of(const LobattoTableaux& t, std::size_t i, std::size_t j) {
  return (t.b[i] * t.b[j] - t.b[i] * t.a[i][j] - t.b[j] * t.a[j][i]).as<Number>();
}

constexpr double round_off = 1e-29;  // of coefficients of 106 bits, in sums of some ten terms

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
          return t.b[at].as<Number>() * legendre(k, t.c[at].as<Number>());
        };
        const Number expected =
            -(p(s - 1, i) * p(s - 2, j) + p(s - 2, i) * p(s - 1, j)) / Number(2.0);
        worst = numeric::larger(worst, size(defect_of(t, i, j) - expected));
      }
    }
    CHECK(worst < round_off);
    CHECK(size(defect_of(t, 0, 0)) > 3e-4);  // b_0^2, with b_0 = 1/(s (s - 1)), 1/56 at most
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
    CHECK(size(velocity[0]) + size(velocity[1]) < round_off);
    const Number expected =
        -step.h * step.h / Number(2.0) * (pair(step.reaction) - pair(step.position));
    CHECK(size(step.change_of_energy() - expected) < round_off);
    // The first multiplier is any: moments of the reaction are b_0 = 1/30 or more. Times h^2/2.
    CHECK(size(step.change_of_energy()) > 5e-5);
  }
}

TEST_CASE("With two stages the change of energy is a difference of two nodes") {
  const OscillatorStep step(2);
  const auto at = [](const Plane& reaction, const Plane& x) {
    return product(reaction, reaction) - product(x, x);
  };
  const Number kept =
      step.change_of_energy() + step.h * step.h / Number(8.0) *
                                    (at(step.reaction[1], step.x1) - at(step.reaction[0], step.x));
  CHECK(size(kept) < round_off);
}
