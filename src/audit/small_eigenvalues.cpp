#include "small_eigenvalues.hpp"

#include <cmath>
#include <limits>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

using Complex = std::complex<double>;
using Entries = std::vector<Complex>;

constexpr double round_off = std::numeric_limits<double>::epsilon();

/// The eigenvalue of the last 2 x 2 block of the first `m` rows that is nearest to its last entry.
Complex wilkinson_shift(const Entries& a, std::size_t n, std::size_t m) {
  const Complex p = a[(m - 2) * n + m - 2], q = a[(m - 2) * n + m - 1];
  const Complex r = a[(m - 1) * n + m - 2], s = a[(m - 1) * n + m - 1];
  const Complex half = 0.5 * (p + s), root = std::sqrt(0.25 * (p - s) * (p - s) + q * r);
  return std::abs(half + root - s) < std::abs(half - root - s) ? half + root : half - root;
}

/// a <- R Q of a = Q R, for the first `m` rows and columns, by Gram and Schmidt's process, twice.
void turn(Entries& a, std::size_t n, std::size_t m) {
  Entries q(m * m), r(m * m, 0.0), next(m * m, 0.0);
  for (std::size_t j = 0; j < m; ++j) {
    Entries column(m);
    for (std::size_t i = 0; i < m; ++i) column[i] = a[i * n + j];
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < j; ++k) {
        Complex along = 0.0;
        for (std::size_t i = 0; i < m; ++i) along += std::conj(q[i * m + k]) * column[i];
        for (std::size_t i = 0; i < m; ++i) column[i] -= along * q[i * m + k];
        r[k * m + j] += along;
      }
    }
    double length = 0.0;
    for (const Complex& entry : column) length += std::norm(entry);
    length = std::sqrt(length);
    r[j * m + j] = length;
    for (std::size_t i = 0; i < m; ++i) q[i * m + j] = length > 0.0 ? column[i] / length : 0.0;
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = i; k < m; ++k)
      for (std::size_t j = 0; j < m; ++j) next[i * m + j] += r[i * m + k] * q[k * m + j];
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) a[i * n + j] = next[i * m + j];
}

void add_to_diagonal(Entries& a, std::size_t n, std::size_t m, Complex shift) {
  for (std::size_t i = 0; i < m; ++i) a[i * n + i] += shift;
}

double size_of(const Entries& a) {
  double largest = 0.0;
  for (const Complex& entry : a) largest = numeric::larger(largest, std::abs(entry));
  return largest;
}

/// The vector of an eigenvalue, by three steps of inverse iteration.
Entries eigenvector(const std::vector<double>& a, std::size_t n, Complex value) {
  Entries shifted(a.begin(), a.end()), x(n);
  // Off the eigenvalue by round-off, so that the matrix can be solved with.
  const double off = 8.0 * round_off * (1.0 + size_of(shifted));
  add_to_diagonal(shifted, n, n, -(value + off));
  for (std::size_t i = 0; i < n; ++i) x[i] = Complex(1.0, 0.25 * static_cast<double>(i + 1));
  for (int pass = 0; pass < 3; ++pass) {
    x = solve_complex(shifted, x);
    double length = 0.0;
    for (const Complex& entry : x) length += std::norm(entry);
    for (Complex& entry : x) entry /= std::sqrt(length);
  }
  return x;
}

}  // namespace

std::vector<std::complex<double>> solve_complex(std::vector<std::complex<double>> a,
                                                std::vector<std::complex<double>> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[pivot * n + j]);
      std::swap(b[k], b[pivot]);
    }
    if (a[k * n + k] == 0.0) a[k * n + k] = round_off;
    for (std::size_t i = k + 1; i < n; ++i) {
      const Complex factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return b;
}

SmallEigenvalues small_eigenvalues(const std::vector<double>& a, std::size_t n) {
  constexpr int most = 500;
  Entries work(a.begin(), a.end());
  const double size = size_of(work);
  SmallEigenvalues result;
  result.values.assign(n, std::numeric_limits<double>::quiet_NaN());
  int pass = 0;
  for (std::size_t m = n; m > 0;) {
    double below = 0.0;  // what still couples the last row to those before
    for (std::size_t j = 0; j + 1 < m; ++j)
      below = numeric::larger(below, std::abs(work[(m - 1) * n + j]));
    if (below <= 0.25 * round_off * size) {
      result.values[m - 1] = work[(m - 1) * n + m - 1];
      --m;
      continue;
    }
    if (++pass > most) break;
    // Now and then another shift, for matrices on which Wilkinson's goes round in circles.
    const Complex shift =
        pass % 11 == 0 ? Complex(below, 0.5 * below) : wilkinson_shift(work, n, m);
    add_to_diagonal(work, n, m, -shift);
    turn(work, n, m);
    add_to_diagonal(work, n, m, shift);
  }
  for (const Complex& value : result.values) result.vectors.push_back(eigenvector(a, n, value));
  return result;
}

}  // namespace dalembert
