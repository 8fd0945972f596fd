#include "numeric_rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {
namespace {

/// The smallest pivot relative to the largest one, by an elimination that passes over zeros.
double sparse_pivot_ratio(std::vector<double>& matrix, std::size_t n) {
  const auto row = [&](std::size_t i) { return std::span(matrix).subspan(i * n, n); };
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(row(i)[k]) > std::fabs(row(best)[k])) best = i;
    std::ranges::swap_ranges(row(k), row(best));
    const double pivot = std::fabs(row(k)[k]);
    smallest = numeric::smaller(smallest, pivot);
    largest = numeric::larger(largest, pivot);
    if (pivot == 0.0) return 0.0;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = row(i)[k] / row(k)[k];
      if (factor == 0.0) continue;
      for (std::size_t j = k; j < n; ++j) row(i)[j] -= factor * row(k)[j];
    }
  }
  return smallest / largest;
}

}  // namespace

double independent_part(std::vector<double>& rows, std::vector<double>& lengths, std::size_t k,
                        std::size_t n) {
  const auto row = [&](std::size_t i) { return std::span(rows).subspan(i * n, n); };
  const auto dot = [](std::span<const double> x, std::span<const double> y) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  };
  const double before = std::sqrt(dot(row(k), row(k)));
  for (int sweep = 0; sweep < 2; ++sweep) {  // twice is enough for orthogonality to round-off
    for (std::size_t i = 0; i < k; ++i) {
      const double factor = lengths[i] > 0.0 ? dot(row(i), row(k)) / lengths[i] : 0.0;
      if (factor == 0.0) continue;
      for (std::size_t j = 0; j < n; ++j) row(k)[j] -= factor * row(i)[j];
    }
  }
  lengths.push_back(dot(row(k), row(k)));
  return before > 0.0 ? std::sqrt(lengths[k]) / before : 0.0;
}

double pivot_ratio(std::vector<double> matrix, int n) {
  for (int i = 0; i < n; ++i) {
    double largest = 0.0;
    for (int j = 0; j < n; ++j)
      largest = numeric::larger(
          largest, std::fabs(matrix[std::size_t(i) * std::size_t(n) + std::size_t(j)]));
    if (largest == 0.0) return 0.0;
    for (int j = 0; j < n; ++j) matrix[std::size_t(i) * std::size_t(n) + std::size_t(j)] /= largest;
  }
  if (n > 16) return sparse_pivot_ratio(matrix, static_cast<std::size_t>(n));
  std::vector<double> pivot(static_cast<std::size_t>(n));
  return numeric::lu_factor(n, matrix.data(), pivot.data()).pivot_ratio;
}

}  // namespace dalembert
