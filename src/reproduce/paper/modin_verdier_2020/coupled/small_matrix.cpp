#include "small_matrix.hpp"

#include <cmath>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert::reproduce {

namespace {

/// Far above round-off of brackets of matrices of size one, far below their parts that matter.
constexpr double inside = 1e-9;

double inner_product(const SquareMatrix& a, const SquareMatrix& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.entries().size(); ++i) sum += a.entries()[i] * b.entries()[i];
  return sum;
}

/// Adds the direction of what `a` has outside the span; false if that is round-off.
bool extend(std::vector<SquareMatrix>& basis, const SquareMatrix& a) {
  // Twice, so that the basis is orthogonal to round-off.
  const SquareMatrix rest = outside(outside(a, basis), basis);
  const double size = std::sqrt(inner_product(rest, rest));
  if (!(size > inside)) return false;
  basis.push_back(rest * (1.0 / size));
  return true;
}

}  // namespace

SquareMatrix::SquareMatrix(std::size_t size, std::vector<double> by_rows)
    : size_(size), entries_(std::move(by_rows)) {
  entries_.resize(size * size, 0.0);
}

SquareMatrix SquareMatrix::one(std::size_t size) {
  SquareMatrix result(size);
  for (std::size_t i = 0; i < size; ++i) result(i, i) = 1.0;
  return result;
}

double SquareMatrix::largest() const {
  double most = 0.0;
  for (const double entry : entries_) {
    most = numeric::larger(most, std::fabs(entry));
  }
  return most;
}

SquareMatrix SquareMatrix::operator*(const SquareMatrix& other) const {
  SquareMatrix result(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = 0; k < size_; ++k) {
      for (std::size_t j = 0; j < size_; ++j) result(i, j) += (*this)(i, k) * other(k, j);
    }
  }
  return result;
}

std::vector<double> SquareMatrix::operator*(std::span<const double> x) const {
  std::vector<double> result(size_, 0.0);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) result[i] += (*this)(i, j) * x[j];
  }
  return result;
}

SquareMatrix SquareMatrix::operator*(double factor) const {
  SquareMatrix result = *this;
  for (double& entry : result.entries_) entry *= factor;
  return result;
}

SquareMatrix SquareMatrix::operator+(const SquareMatrix& other) const {
  SquareMatrix result = *this;
  for (std::size_t i = 0; i < entries_.size(); ++i) result.entries_[i] += other.entries_[i];
  return result;
}

SquareMatrix SquareMatrix::operator-(const SquareMatrix& other) const {
  return *this + other * -1.0;
}

SquareMatrix exponential(const SquareMatrix& a) {
  constexpr int terms = 18;  // of arguments below 1/2, to round-off
  const auto norm = a.largest() * static_cast<double>(a.size());
  const int halvings = norm > 0.5 ? static_cast<int>(std::ceil(std::log2(norm))) + 1 : 0;
  const SquareMatrix small = a * std::ldexp(1.0, -halvings);
  SquareMatrix sum = SquareMatrix::one(a.size());
  for (int k = terms; k >= 1; --k) sum = SquareMatrix::one(a.size()) + small * sum * (1.0 / k);
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return sum;
}

SquareMatrix sign_changes(const std::vector<double>& signs) {
  SquareMatrix result(signs.size());
  for (std::size_t i = 0; i < signs.size(); ++i) result(i, i) = signs[i];
  return result;
}

std::vector<SquareMatrix> generated_algebra(const std::vector<SquareMatrix>& matrices) {
  std::vector<SquareMatrix> basis;
  for (const SquareMatrix& matrix : matrices) extend(basis, matrix);
  for (std::size_t i = 0; i < basis.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) extend(basis, basis[i] * basis[j] - basis[j] * basis[i]);
  }
  return basis;
}

SquareMatrix outside(SquareMatrix a, const std::vector<SquareMatrix>& basis) {
  for (const SquareMatrix& direction : basis) a = a - direction * inner_product(a, direction);
  return a;
}

}  // namespace dalembert::reproduce
