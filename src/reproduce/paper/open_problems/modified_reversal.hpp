#pragma once
// The modified reversal that a method has on a closed orbit of the driver: Theorem 8 of
// doc/open-problems.md. For the sources of this room and for tests.

#include <cmath>
#include <vector>

#include "closed_turn.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::reproduce {

/// The modified reversal R of a turn, and what it takes to check it.
class ModifiedReversal {
 public:
  using Numbers = ClosedTurn::Numbers;
  using Rows = ClosedTurn::Rows;

  static Rows product(const Rows& a, const Rows& b) {
    const std::size_t n = a.size();
    Rows result(n, Numbers(n, Extended(0.0)));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) result[i][j] = result[i][j] + a[i][k] * b[k][j];
    return result;
  }
  static Rows transposed(const Rows& a) {
    Rows result = a;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < a.size(); ++j) result[i][j] = a[j][i];
    return result;
  }
  static double distance(const Rows& a, const Rows& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double row = largest_difference<Extended>(a[i], b[i]);
      largest = numeric::larger(largest, row);
    }
    return largest;
  }
  static Rows unit(std::size_t n) {
    Rows result(n, Numbers(n, Extended(0.0)));
    for (std::size_t i = 0; i < n; ++i) result[i][i] = Extended(1.0);
    return result;
  }
  static Extended form(const Rows& g, const Numbers& a, const Numbers& b) {
    Extended sum(0.0);
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < b.size(); ++j) sum = sum + a[i] * g[i][j] * b[j];
    return sum;
  }

  /// E + (h^2/8)(|lambda A^T|^2 - |x|^2), twice, in (x1, x2, s, lambda) where A = (1, 0).
  static Rows invariant_form(const Extended& h) {
    Rows g = unit(4);
    const Extended part = h * h / Extended(4.0);
    g[0][0] = g[1][1] = Extended(1.0) - part;
    g[3][3] = part;
    return g;
  }

  /// The vector of ones less what P - mu does not take: a column of the adjugate of P - mu.
  static Numbers eigenvector(const ClosedTurn& turn, const Extended& mu) {
    Rows m = turn.matrix();
    const std::size_t n = m.size();
    for (std::size_t i = 0; i < n; ++i) m[i][i] = m[i][i] - mu;
    std::vector<Numbers> columns;
    for (std::size_t row = 0; row < n; ++row) {
      columns.emplace_back(n, Extended(0.0));
      for (std::size_t j = 0; j < n; ++j) {
        Rows part;
        for (std::size_t i = 0; i < n; ++i) {
          if (i == row) continue;
          Numbers entries;
          for (std::size_t k = 0; k < n; ++k)
            if (k != j) entries.push_back(m[i][k]);
          part.push_back(entries);
        }
        const Extended minor = determinant(part);
        columns[row][j] = (row + j) % 2 == 0 ? minor : Extended(-minor);
      }
    }
    std::size_t longest = 0;
    double length = 0.0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double own = static_cast<double>(numeric::largest_size<Extended>(columns[i]));
      if (own <= length) continue;
      longest = i;
      length = own;
    }
    return columns[longest];
  }

  /// The reflection that keeps the axis, the multiplier's mode and the part of x1 beside them, and
  /// turns the fourth direction round; orthogonal in the form g.
  static Rows reversal(const ClosedTurn& turn, const Rows& g) {
    const std::size_t n = turn.size();
    std::vector<Numbers> basis{eigenvector(turn, turn.eigenvalue_near(Extended(1.0)))};
    if (n == 4) basis.push_back(eigenvector(turn, turn.eigenvalue_near(Extended(-1.0))));
    for (std::size_t j = 0; basis.size() < n; ++j) {
      Numbers next(n, Extended(0.0));
      next[j] = Extended(1.0);
      basis.push_back(next);
    }
    using std::sqrt;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        const Extended along = form(g, basis[i], basis[j]);
        for (std::size_t k = 0; k < n; ++k) basis[j][k] = basis[j][k] - along * basis[i][k];
      }
      const Extended length = sqrt(form(g, basis[j], basis[j]));
      for (Extended& entry : basis[j]) entry = entry / length;
    }
    // R = 1 - 2 c c^T G with the last vector c.
    const Numbers& c = basis.back();
    Rows result = unit(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        Extended covector(0.0);
        for (std::size_t k = 0; k < n; ++k) covector = covector + c[k] * g[k][j];
        result[i][j] = result[i][j] - Extended(2.0) * c[i] * covector;
      }
    }
    return result;
  }
};

}  // namespace dalembert::reproduce
