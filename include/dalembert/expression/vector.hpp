#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// A column of expressions.
using Vector = std::vector<Expr>;

/// A matrix of expressions, stored by rows.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), entries_(rows * columns) {}

  static Matrix identity(std::size_t size);         ///< unit matrix, size x size
  std::size_t rows() const { return rows_; }        ///< number of rows
  std::size_t columns() const { return columns_; }  ///< number of columns
  Expr& operator()(std::size_t row, std::size_t column) {
    return entries_[row * columns_ + column];
  }
  const Expr& operator()(std::size_t row, std::size_t column) const {
    return entries_[row * columns_ + column];
  }
  Vector row(std::size_t index) const;  ///< entries of a row, from 0; RequestError beyond the last
  Vector column(std::size_t index) const;  ///< entries of a column, from 0; unchecked
  /// All entries, row after row.
  const Vector& entries() const& { return entries_; }
  Vector entries() && { return std::move(entries_); }  ///< entries, moved out
  Vector& entries() & { return entries_; }             ///< entries, to be changed

 private:
  std::size_t rows_ = 0, columns_ = 0;
  Vector entries_;
};

// Sizes that do not match throw RequestError with both sizes.
Vector operator+(const Vector& x, const Vector& y);
Vector operator-(const Vector& x, const Vector& y);
Vector operator-(const Vector& x);
Vector operator*(const Expr& factor, const Vector& x);
Vector operator*(const Matrix& a, const Vector& x);
Matrix operator*(const Matrix& a, const Matrix& b);
Matrix operator*(const Expr& factor, const Matrix& a);
Matrix operator+(const Matrix& a, const Matrix& b);
Matrix operator-(const Matrix& a, const Matrix& b);
Matrix transpose(const Matrix& a);           ///< transposed matrix, columns x rows
Expr dot(const Vector& x, const Vector& y);  ///< sum of the products of entries
/// All vectors one after the other.
Vector concatenate(std::span<const Vector> parts);
/// Vectors in braces, one after the other.
inline Vector concatenate(std::initializer_list<Vector> parts) {
  return concatenate(std::span<const Vector>(parts.begin(), parts.size()));
}
/// Entries [offset, offset + count). RequestError beyond the end.
Vector slice(const Vector& x, std::size_t offset, std::size_t count);
/// A vector in a graph that has all its entries.
Vector in_graph(const Vector& x, const GraphPointer& graph);
/// A matrix with all entries in a graph that has them.
Matrix in_graph(const Matrix& a, const GraphPointer& graph);
/// Throws RequestError unless `found` entries of `what` are as many as `wanted`.
void require_size(const char* what, std::size_t found, std::size_t wanted);
/// A vector of zeros.
inline Vector zeros(std::size_t size) { return Vector(size, Expr(0.0)); }

}  // namespace dalembert
