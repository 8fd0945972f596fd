#pragma once
// Arithmetic of small matrices, and the Lie algebras that they generate. Only for the sources of
// this room.

#include <cstddef>
#include <span>
#include <vector>

namespace dalembert::reproduce {

/// A small square matrix.
class SquareMatrix {
 public:
  explicit SquareMatrix(std::size_t size, std::vector<double> by_rows = {});
  static SquareMatrix one(std::size_t size);

  std::size_t size() const { return size_; }
  double& operator()(std::size_t i, std::size_t j) { return entries_[i * size_ + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries_[i * size_ + j]; }
  const std::vector<double>& entries() const { return entries_; }
  double largest() const;  ///< absolute value of an entry; nan if there is one

  SquareMatrix operator*(const SquareMatrix& other) const;
  std::vector<double> operator*(std::span<const double> x) const;
  SquareMatrix operator*(double factor) const;
  SquareMatrix operator+(const SquareMatrix& other) const;
  SquareMatrix operator-(const SquareMatrix& other) const;

 private:
  std::size_t size_;
  std::vector<double> entries_;
};

SquareMatrix exponential(const SquareMatrix& a);
/// diag(signs).
SquareMatrix sign_changes(const std::vector<double>& signs);
/// The Lie algebra that the matrices generate, as a basis that is orthonormal entry by entry.
std::vector<SquareMatrix> generated_algebra(const std::vector<SquareMatrix>& matrices);
/// The part of a matrix outside the span of an orthonormal basis.
SquareMatrix outside(SquareMatrix a, const std::vector<SquareMatrix>& basis);

}  // namespace dalembert::reproduce
