#include "numeric_rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/sparse/numeric_sample.hpp"
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

/// The coefficients with which row k of `rows`, of n numbers each, is a combination of the k rows
/// before it, which are independent; nothing where it is none.
std::optional<std::vector<double>> combination_before(const std::vector<double>& rows,
                                                      std::size_t k, std::size_t n) {
  const auto product = [&](std::size_t i, std::size_t j) {
    return std::inner_product(rows.begin() + static_cast<std::ptrdiff_t>(i * n),
                              rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * n),
                              rows.begin() + static_cast<std::ptrdiff_t>(j * n), 0.0);
  };
  std::vector<double> squares(k * k), factors(k), pivot(k);
  for (std::size_t i = 0; i < k; ++i) {
    factors[i] = product(i, k);
    for (std::size_t j = 0; j < k; ++j) squares[i * k + j] = product(i, j);
  }
  const auto size = static_cast<int>(k);
  if (numeric::lu_factor(size, squares.data(), pivot.data()).singular) return std::nullopt;
  numeric::lu_solve(size, squares.data(), pivot.data(), factors.data());
  double left = 0.0, whole = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    double rest = rows[k * n + j];
    for (std::size_t i = 0; i < k; ++i) rest -= factors[i] * rows[i * n + j];
    left += rest * rest;
    whole += rows[k * n + j] * rows[k * n + j];
  }
  constexpr double nothing = 1e-9;  // normal equations lose half of the digits
  if (!(std::sqrt(left) <= nothing * std::sqrt(whole))) return std::nullopt;
  return factors;
}

/// "2 times constraint 1 - constraint 3".
std::string combination_text(const std::vector<double>& factors) {
  constexpr double nine_digits = 1e9;
  std::string text;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double size = std::round(std::fabs(factors[i]) * nine_digits) / nine_digits;
    if (size == 0.0) continue;
    const bool is_minus = factors[i] < 0.0;
    text += text.empty() ? (is_minus ? "minus " : "") : (is_minus ? " - " : " + ");
    if (size != 1.0) text += to_string(size) + " times ";
    text += "constraint " + std::to_string(i + 1);
  }
  return text;
}

}  // namespace

std::string dependence_text(const Matrix& rows) {
  constexpr int states = 3;
  const std::size_t n = rows.columns();
  NumericSample sample(rows.entries());
  std::vector<std::vector<double>> samples;
  for (int number = 0; number < states; ++number) {
    sample.choose(number);
    samples.push_back(sample());
  }
  for (std::size_t k = 0; k < rows.rows(); ++k) {
    std::vector<std::vector<double>> found;
    for (const std::vector<double>& numbers : samples)
      if (auto factors = combination_before(numbers, k, n)) found.push_back(std::move(*factors));
    if (found.size() < samples.size()) continue;
    const bool is_constant = std::ranges::all_of(found, [&](const std::vector<double>& factors) {
      return combination_text(factors) == combination_text(found.front());
    });
    const std::string text = combination_text(found.front());
    return ": constraint " + std::to_string(k + 1) +
           (text.empty()  ? " vanishes for every velocity"
            : is_constant ? " is " + text
                          : " follows from those before it") +
           "; leave it out";
  }
  return "";
}

namespace {

/// A row from which others are subtracted. Of a large system most of it is zero: pieces without
/// anything are passed over, which moves no bits, because sums that begin with 0 are never -0.
class PiecewiseRow {
 public:
  explicit PiecewiseRow(std::span<double> entries) : entries_(entries) {
    for (std::size_t begin = 0; begin < entries.size(); begin += width)
      holds_.push_back(has_any(entries_, begin));
  }

  /// The product with a row of finite numbers.
  double dot(std::span<const double> other) const {
    double sum = 0.0;
    for (std::size_t p = 0; p < holds_.size(); ++p) {
      if (!holds_[p]) continue;
      for (std::size_t j = p * width; j < end_of(p * width); ++j) sum += other[j] * entries_[j];
    }
    return sum;
  }
  void subtract(double factor, std::span<const double> other) {
    for (std::size_t p = 0; p < holds_.size(); ++p) {
      if (!holds_[p] && !has_any(other, p * width)) continue;
      holds_[p] = true;
      for (std::size_t j = p * width; j < end_of(p * width); ++j) entries_[j] -= factor * other[j];
    }
  }

 private:
  static constexpr std::size_t width = 32;
  std::size_t end_of(std::size_t begin) const { return std::min(begin + width, entries_.size()); }
  bool has_any(std::span<const double> row, std::size_t begin) const {
    bool any = false;
    for (std::size_t j = begin; j < end_of(begin); ++j) any |= row[j] != 0.0;
    return any;
  }

  std::span<double> entries_;
  std::vector<char> holds_;
};

}  // namespace

double independent_part(std::vector<double>& rows, std::vector<double>& lengths, std::size_t k,
                        std::size_t n) {
  const auto row = [&](std::size_t i) { return std::span(rows).subspan(i * n, n); };
  PiecewiseRow own(row(k));
  const double before = std::sqrt(own.dot(row(k)));
  for (int sweep = 0; sweep < 2; ++sweep) {  // twice is enough for orthogonality to round-off
    for (std::size_t i = 0; i < k; ++i) {
      const double factor = lengths[i] > 0.0 ? own.dot(row(i)) / lengths[i] : 0.0;
      if (factor != 0.0) own.subtract(factor, row(i));
    }
  }
  lengths.push_back(own.dot(row(k)));
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
