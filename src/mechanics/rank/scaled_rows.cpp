#include "scaled_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_ldlt.hpp"

namespace dalembert {
namespace {

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

void subtract(std::span<double> from, double factor, std::span<const double> row) {
  for (std::size_t j = 0; j < from.size(); ++j) from[j] -= factor * row[j];
}

/// Turns two vectors in their plane.
void rotate(std::span<double> a, std::span<double> b, double cosine, double sine) {
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double first = a[j], second = b[j];
    a[j] = cosine * first - sine * second;
    b[j] = sine * first + cosine * second;
  }
}

}  // namespace

ScaledRows::ScaledRows(std::size_t count, std::size_t dof)
    : dof_(dof), rows_(count * dof), lengths_(count), factor_(dof * dof), metric_(dof * dof) {}

/// Cholesky's factor.
bool ScaledRows::factor(std::span<const double> metric) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const std::size_t n = dof_;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double left = metric[i * n + j];
      for (std::size_t k = 0; k < j; ++k) left -= factor_[i * n + k] * factor_[j * n + k];
      if (j < i) {
        factor_[i * n + j] = left / factor_[j * n + j];
        continue;
      }
      // The rest of a singular matrix is round-off of its diagonal.
      const double round_off = 8.0 * epsilon * static_cast<double>(n) * metric[i * n + i];
      if (!(left > round_off && std::isfinite(left))) return false;
      factor_[i * n + i] = std::sqrt(left);
    }
  }
  return true;
}

bool ScaledRows::set(std::span<const double> mass, std::span<const double> rows) {
  const std::size_t n = dof_;
  if (!std::ranges::all_of(rows, [](double entry) { return std::isfinite(entry); })) return false;
  if (!factor(mass)) {
    std::ranges::copy(mass, metric_.begin());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < count(); ++k)
          metric_[i * n + j] += rows[k * n + i] * rows[k * n + j];
    if (!factor(metric_)) return false;
  }
  std::ranges::copy(rows, rows_.begin());
  double longest = 0.0;
  for (std::size_t k = 0; k < count(); ++k) {
    const std::span<double> x = std::span(rows_).subspan(k * n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) x[i] -= factor_[i * n + j] * x[j];
      x[i] /= factor_[i * n + i];
    }
    lengths_[k] = std::sqrt(inner(x, x));
    longest = numeric::larger(longest, lengths_[k]);
  }
  // Coefficients of the size one, as sin^2 + cos^2 - 1, leave their round-off.
  constexpr double nothing = 1e-14;
  for (std::size_t k = 0; k < count(); ++k) {
    if (!(lengths_[k] > nothing * longest)) lengths_[k] = 0.0;
    const double inverse = lengths_[k] > 0.0 ? 1.0 / lengths_[k] : 0.0;
    for (std::size_t i = 0; i < n; ++i) rows_[k * n + i] *= inverse;
  }
  return true;
}

double ScaledRows::length_of(std::span<const double> v) const {
  double square = 0.0;
  for (std::size_t i = 0; i < dof_; ++i) {
    double entry = 0.0;
    for (std::size_t k = i; k < dof_; ++k) entry += factor_[k * dof_ + i] * v[k];
    square += entry * entry;
  }
  return std::sqrt(square);
}

namespace {

/// A sweep of Jacobi's rotations through all pairs of rows; false where all are orthogonal.
bool turn_pairs(std::vector<double>& turned, std::vector<double>& turns, std::size_t m,
                std::size_t n) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto row = [](std::vector<double>& matrix, std::size_t i, std::size_t width) {
    return std::span(matrix).subspan(i * width, width);
  };
  bool has_turned = false;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = i + 1; j < m; ++j) {
      const auto a = row(turned, i, n), b = row(turned, j, n);
      const double aa = inner(a, a), bb = inner(b, b), ab = inner(a, b);
      // Rows have length 1: what is below the square of round-off is nothing.
      if (!(std::fabs(ab) > epsilon * (std::sqrt(aa * bb) + epsilon))) continue;
      const double tau = (bb - aa) / (2.0 * ab);
      const double tangent =
          (tau < 0.0 ? -1.0 : 1.0) / (std::fabs(tau) + std::sqrt(1.0 + tau * tau));
      const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
      rotate(a, b, cosine, cosine * tangent);
      rotate(row(turns, i, m), row(turns, j, m), cosine, cosine * tangent);
      has_turned = true;
    }
  }
  return has_turned;
}

}  // namespace

RowSpectrum row_spectrum(const ScaledRows& rows) {
  constexpr int most_sweeps = 60;  // ten are enough
  const std::size_t m = rows.count(), n = rows.dof();
  std::vector<double> turned, turns(m * m, 0.0), lengths;
  for (std::size_t i = 0; i < m; ++i) {
    turned.insert(turned.end(), rows.row(i).begin(), rows.row(i).end());
    turns[i * m + i] = 1.0;
  }
  for (int sweep = 0; sweep < most_sweeps && turn_pairs(turned, turns, m, n); ++sweep) {
  }
  for (std::size_t i = 0; i < m; ++i) {
    const std::span<const double> row = std::span(turned).subspan(i * n, n);
    lengths.push_back(std::sqrt(inner(row, row)));
  }
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return lengths[i]; });
  RowSpectrum found;
  for (const std::size_t i : order) {
    found.values.push_back(lengths[i]);
    const std::span<const double> combination = std::span(turns).subspan(i * m, m);
    found.combinations.insert(found.combinations.end(), combination.begin(), combination.end());
  }
  return found;
}

std::vector<std::size_t> independent_rows(const ScaledRows& rows, std::size_t rank,
                                          std::size_t first) {
  // Rows that differ by less are alike, so that round-off does not choose.
  constexpr double nearly = 0.9;
  const std::size_t m = rows.count(), n = rows.dof();
  std::vector<double> left;
  for (std::size_t i = 0; i < m; ++i)
    left.insert(left.end(), rows.row(i).begin(), rows.row(i).end());
  const auto row = [&](std::size_t i) { return std::span(left).subspan(i * n, n); };
  std::vector<std::size_t> order(m), taken;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
  while (taken.size() < rank) {
    double longest = 0.0;
    for (const std::size_t i : order) longest = numeric::larger(longest, inner(row(i), row(i)));
    const auto next = std::ranges::find_if(
        order, [&](std::size_t i) { return inner(row(i), row(i)) >= nearly * longest; });
    if (next == order.end() || longest == 0.0) break;
    const std::size_t chosen = *next;
    order.erase(next);
    taken.push_back(chosen);
    const double square = inner(row(chosen), row(chosen));
    for (int sweep = 0; sweep < 2; ++sweep)  // twice is enough for orthogonality to round-off
      for (const std::size_t i : order)
        subtract(row(i), inner(row(i), row(chosen)) / square, row(chosen));
  }
  std::ranges::sort(taken);
  return taken;
}

RowCombinations::RowCombinations(std::vector<std::size_t> kept, std::vector<std::size_t> left_out,
                                 std::size_t dof)
    : kept_(std::move(kept)),
      left_out_(std::move(left_out)),
      dof_(dof),
      basis_(kept_.size() * dof),
      triangle_(kept_.size() * kept_.size()),
      factors_(left_out_.size() * kept_.size()),
      rests_(left_out_.size()),
      work_(dof),
      products_(left_out_.size() * left_out_.size()),
      parts_(left_out_.size()) {}

void RowCombinations::set(const ScaledRows& rows) {
  const std::size_t r = kept_.size();
  const auto basis = [this](std::size_t k) { return std::span(basis_).subspan(k * dof_, dof_); };
  /// The parts of `work_` along the first rows of the basis go into `parts`; the length of the
  /// rest.
  const auto take_off = [&](std::size_t count, std::span<double> parts) {
    std::ranges::fill(parts.first(count), 0.0);
    for (int sweep = 0; sweep < 2; ++sweep) {
      for (std::size_t k = 0; k < count; ++k) {
        const double part = inner(work_, basis(k));
        parts[k] += part;
        subtract(work_, part, basis(k));
      }
    }
    return std::sqrt(inner(work_, work_));
  };
  least_new_ = 1.0;
  for (std::size_t k = 0; k < r; ++k) {
    std::ranges::copy(rows.row(kept_[k]), work_.begin());
    const double rest = take_off(k, std::span(triangle_).subspan(k * r, r));
    triangle_[k * r + k] = rest;
    least_new_ = numeric::smaller(least_new_, rest);
    for (std::size_t j = 0; j < dof_; ++j) basis(k)[j] = work_[j] / rest;
  }
  for (std::size_t l = 0; l < left_out_.size(); ++l) {
    std::ranges::copy(rows.row(left_out_[l]), work_.begin());
    const std::span<double> factors = std::span(factors_).subspan(l * r, r);
    rests_[l] = take_off(r, factors);
    for (std::size_t k = r; k-- > 0;) {
      for (std::size_t i = k + 1; i < r; ++i) factors[k] -= factors[i] * triangle_[i * r + k];
      factors[k] /= triangle_[k * r + k];
    }
  }
}

void RowCombinations::make_least(std::span<double> factors) {
  const std::size_t d = left_out_.size(), r = kept_.size();
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = a == b ? 1.0 : 0.0;
      for (std::size_t k = 0; k < r; ++k) sum += factor(a, k) * factor(b, k);
      products_[a * d + b] = sum;
    }
    parts_[a] = factors[left_out_[a]];
    for (std::size_t k = 0; k < r; ++k) parts_[a] -= factor(a, k) * factors[kept_[k]];
  }
  const int size = static_cast<int>(d);
  // The unit matrix and a product of a matrix with its transpose are positive.
  static_cast<void>(numeric::ldlt_factor(size, products_.data()));
  numeric::ldlt_solve(size, products_.data(), parts_.data());
  for (std::size_t a = 0; a < d; ++a) {
    factors[left_out_[a]] -= parts_[a];
    for (std::size_t k = 0; k < r; ++k) factors[kept_[k]] += factor(a, k) * parts_[a];
  }
}

}  // namespace dalembert
