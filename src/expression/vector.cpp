#include "dalembert/expression/vector.hpp"

#include <cassert>

namespace dalembert {

Matrix Matrix::identity(std::size_t size) {
  Matrix result(size, size);
  for (std::size_t i = 0; i < size; ++i) result(i, i) = 1.0;
  return result;
}

Vector Matrix::row(std::size_t index) const { return slice(entries_, index * columns_, columns_); }

Vector Matrix::column(std::size_t index) const {
  Vector result(rows_);
  for (std::size_t i = 0; i < rows_; ++i) result[i] = (*this)(i, index);
  return result;
}

Vector operator+(const Vector& x, const Vector& y) {
  assert(x.size() == y.size());
  Vector result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = x[i] + y[i];
  return result;
}

Vector operator-(const Vector& x, const Vector& y) {
  assert(x.size() == y.size());
  Vector result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = x[i] - y[i];
  return result;
}

Vector operator-(const Vector& x) { return Expr(-1.0) * x; }

Vector operator*(const Expr& factor, const Vector& x) {
  Vector result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = factor * x[i];
  return result;
}

Vector operator*(const Matrix& a, const Vector& x) {
  assert(a.columns() == x.size());
  Vector result(a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) result[i] = dot(a.row(i), x);
  return result;
}

Matrix operator*(const Matrix& a, const Matrix& b) {
  assert(a.columns() == b.rows());
  Matrix result(a.rows(), b.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < b.columns(); ++j) result(i, j) = dot(a.row(i), b.column(j));
  }
  return result;
}

Matrix operator*(const Expr& factor, const Matrix& a) {
  Matrix result = a;
  result.entries() = factor * a.entries();
  return result;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
  assert(a.rows() == b.rows() && a.columns() == b.columns());
  Matrix result = a;
  result.entries() = a.entries() + b.entries();
  return result;
}

Matrix operator-(const Matrix& a, const Matrix& b) { return a + Expr(-1.0) * b; }

Matrix transpose(const Matrix& a) {
  Matrix result(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.columns(); ++j) result(j, i) = a(i, j);
  }
  return result;
}

Expr dot(const Vector& x, const Vector& y) {
  assert(x.size() == y.size());
  Expr sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

Vector concatenate(std::span<const Vector> parts) {
  Vector result;
  for (const Vector& part : parts) result.insert(result.end(), part.begin(), part.end());
  return result;
}

Vector slice(const Vector& x, std::size_t offset, std::size_t count) {
  assert(offset + count <= x.size());
  const auto begin = x.begin() + static_cast<std::ptrdiff_t>(offset);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace dalembert
