#pragma once
// Rows of constraints in the metric of the mass, in numbers. Only for the sources of this room.

#include <cstddef>
#include <span>
#include <vector>

namespace dalembert {

/// The rows of a constraint matrix A in the metric of the mass M = L L^T, each of length 1: what
/// they are does not depend on factors of constraints or on the choice of coordinates. Where M is
/// not positive definite the metric is M + A^T A. `set` does not allocate.
class ScaledRows {
 public:
  ScaledRows(std::size_t count, std::size_t dof);

  /// False where no metric is positive definite or an entry is not finite. `mass` [dof x dof] and
  /// `rows` [count x dof].
  bool set(std::span<const double> mass, std::span<const double> rows);

  std::size_t count() const { return lengths_.size(); }
  std::size_t dof() const { return dof_; }
  /// Row i of A L^-T over its length.
  std::span<const double> row(std::size_t i) const {
    return std::span(rows_).subspan(i * dof_, dof_);
  }
  /// Length of row i of A: sqrt(a M^-1 a^T); zero for one that is round-off beside the others.
  double length(std::size_t i) const { return lengths_[i]; }
  /// Length of a velocity, |L^T v|: |a v| is at most that of a times that of v.
  double length_of(std::span<const double> v) const;

 private:
  bool factor(std::span<const double> metric);

  std::size_t dof_;
  std::vector<double> rows_, lengths_, factor_, metric_;
};

/// Singular values of scaled rows, the largest first, and as rows the combinations that belong to
/// them. By Jacobi's rotations of the rows.
struct RowSpectrum {
  std::vector<double> values;
  std::vector<double> combinations;  ///< [count x count]
};
RowSpectrum row_spectrum(const ScaledRows& rows);

/// So many rows that are independent of each other, ascending: each leaves the span of those before
/// by nearly as much as any other could. Of those alike the ones from `first` on are taken.
std::vector<std::size_t> independent_rows(const ScaledRows& rows, std::size_t rank,
                                          std::size_t first);

/// Rows that are left out as combinations of those that are kept. `set` does not allocate.
class RowCombinations {
 public:
  RowCombinations(std::vector<std::size_t> kept, std::vector<std::size_t> left_out,
                  std::size_t dof);

  void set(const ScaledRows& rows);

  /// Factor of scaled row kept[k] in scaled row left_out[l].
  double factor(std::size_t l, std::size_t k) const { return factors_[l * kept_.size() + k]; }
  /// Factors of all scaled rows with the same sum, of least norm: what they have along combinations
  /// that vanish is taken away.
  void make_least(std::span<double> factors);
  /// Part of scaled row left_out[l] that is no combination.
  double rest(std::size_t l) const { return rests_[l]; }
  /// The smallest part of a kept row that is new after those before it.
  double least_new() const { return least_new_; }

 private:
  std::vector<std::size_t> kept_, left_out_;
  std::size_t dof_;
  std::vector<double> basis_, triangle_, factors_, rests_, work_, products_, parts_;
  double least_new_ = 0.0;
};

}  // namespace dalembert
