#include "matrix_logarithm.hpp"

#include <cmath>
#include <limits>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {
namespace {

using Entries = std::vector<double>;

Entries identity(std::size_t n) {
  Entries one(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) one[i * n + i] = 1.0;
  return one;
}

/// a^-1 b; not finite where a is singular.
Entries solve(Entries a, Entries b, std::size_t n) {
  Entries pivots(n);
  const int size = static_cast<int>(n);
  static_cast<void>(numeric::lu_factor(size, a.data(), pivots.data()));
  numeric::lu_solve(size, a.data(), pivots.data(), b.data(), size);
  return b;
}

Entries product(const Entries& a, const Entries& b, std::size_t n) {
  Entries result(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) result[i * n + j] += a[i * n + k] * b[k * n + j];
  return result;
}

double distance(const Entries& a, const Entries& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double now = std::fabs(a[i] - b[i]);
    largest = numeric::larger(largest, now);
  }
  return largest;
}

/// The principal square root; what the iteration had when it stopped to come nearer.
Entries square_root(const Entries& a, std::size_t n) {
  constexpr int most = 60;
  const Entries one = identity(n);
  Entries root = a, inverse = one;
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most; ++pass) {
    Entries next = solve(inverse, one, n), next_inverse = solve(root, one, n);
    for (std::size_t i = 0; i < a.size(); ++i) {
      next[i] = 0.5 * (next[i] + root[i]);
      next_inverse[i] = 0.5 * (next_inverse[i] + inverse[i]);
    }
    const double change = distance(next, root);
    // Quadratic convergence ends at round-off, where the change no longer falls.
    if (change < 1e-8 && !(change < last)) break;
    root = std::move(next);
    inverse = std::move(next_inverse);
    if (change == 0.0 || std::isnan(change)) break;
    last = change;
  }
  return root;
}

}  // namespace

std::vector<double> matrix_logarithm(std::vector<double> a, std::size_t n) {
  constexpr int most_roots = 60;
  const Entries one = identity(n), original = a;
  double scale = 2.0;  // of the series
  int roots = 0;
  while (distance(a, one) > 0.2) {
    Entries root = square_root(a, n);
    // A matrix with a negative eigenvalue has no principal root: its square is another matrix.
    const bool is_root = distance(product(root, root, n), a) < 1e-6 * (1.0 + distance(a, one));
    if (!is_root || ++roots > most_roots)
      return Entries(n * n, std::numeric_limits<double>::quiet_NaN());
    a = std::move(root);
    scale *= 2.0;
  }
  Entries sum = a, difference = a;
  for (std::size_t i = 0; i < n * n; ++i) {
    sum[i] += one[i];
    difference[i] -= one[i];
  }
  Entries term = solve(sum, difference, n);  // (a + 1)^-1 (a - 1), which commute
  const Entries square = product(term, term, n);
  Entries logarithm(n * n, 0.0);
  for (int k = 1; k < 60; k += 2) {
    double largest = 0.0;
    for (std::size_t i = 0; i < n * n; ++i) {
      logarithm[i] += scale * term[i] / k;
      largest = numeric::larger(largest, std::fabs(term[i]));
    }
    if (largest < 1e-18) break;
    term = product(term, square, n);
  }
  return logarithm;
}

}  // namespace dalembert
