#include "sparse_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/sparse/numeric_sample.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {
namespace {

constexpr std::size_t no_index = std::numeric_limits<std::size_t>::max();

/// Finds which equation goes with which unknown.
class SaddlePairs {
 public:
  SaddlePairs(const SparseRows<double>& matrix, const std::vector<bool>& is_multiplier)
      : matrix_(matrix),
        is_multiplier_(is_multiplier),
        row_of_(matrix.size(), no_index),
        by_column_(matrix.size()) {
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      const bool has_multiplier =
          std::any_of(matrix[i].begin(), matrix[i].end(),
                      [&](const auto& entry) { return is_multiplier[entry.first]; });
      (has_multiplier ? held_ : others_).push_back(i);
    }
    for (const std::size_t row : held_) {
      for (const auto& [column, value] : matrix[row]) by_column_[column].emplace(row, value);
    }
  }

  bool find() {
    if (!pair_held()) return false;
    pair_free();
    return std::ptrdiff_t(others_.size()) ==
               std::count(is_multiplier_.begin(), is_multiplier_.end(), true) &&
           pair_constraints();
  }
  /// The pivots, by unknown.
  std::vector<Pivot> pivots() const {
    std::vector<Pivot> result;
    for (std::size_t u = 0; u < row_of_.size(); ++u) result.push_back({row_of_[u], u});
    return result;
  }

 private:
  bool take(std::size_t row, std::size_t column) {
    if (column == no_index || row_of_[column] != no_index) return false;
    row_of_[column] = row;
    return true;
  }

  /// Dynamics with a multiplier: the entry that is the largest relative to its row and column.
  bool pair_held() {
    std::vector<double> largest(matrix_.size(), 0.0);
    for (std::size_t column = 0; column < matrix_.size(); ++column) {
      for (const auto& [row, value] : by_column_[column])
        largest[column] = std::max(largest[column], std::fabs(value));
    }
    return std::all_of(held_.begin(), held_.end(), [&](std::size_t row) {
      std::size_t best = no_index;
      double most = 0.0;
      for (const auto& [column, value] : matrix_[row]) {
        const double weight = value * value / largest[column];
        if (is_multiplier_[column] || !(weight > most)) continue;
        best = column;
        most = weight;
      }
      return take(row, best);
    });
  }

  /// Dynamics of what no constraint holds: of the other rows those that dominate a column which is
  /// left. The rest are constraints.
  void pair_free() {
    std::vector<double> most(matrix_.size(), 0.0);
    std::vector<std::size_t> best(matrix_.size(), no_index);
    for (const std::size_t row : others_) {
      double largest = 0.0;
      for (const auto& [column, value] : matrix_[row])
        largest = std::max(largest, std::fabs(value));
      for (const auto& [column, value] : matrix_[row]) {
        if (!(std::fabs(value) / largest > most[column])) continue;
        most[column] = std::fabs(value) / largest;
        best[column] = row;
      }
    }
    for (std::size_t column = 0; column < matrix_.size(); ++column) {
      if (row_of_[column] != no_index || is_multiplier_[column] || best[column] == no_index)
        continue;
      row_of_[column] = best[column];
      std::erase(others_, best[column]);
    }
  }

  /// The multiplier, of those that are left, whose column is nearest to the direction of the
  /// constraint's row.
  bool pair_constraints() {
    return std::all_of(others_.begin(), others_.end(), [&](std::size_t row) {
      std::map<std::size_t, double> product;
      for (const auto& [column, value] : matrix_[row]) {
        if (row_of_[column] == no_index) return false;
        for (const auto& [other, entry] : matrix_[row_of_[column]])
          if (is_multiplier_[other]) product[other] += value * entry;
      }
      std::size_t best = no_index;
      double most = 0.0;
      for (const auto& [column, value] : product) {
        double length = 0.0;
        for (const auto& [other, entry] : by_column_[column]) length += entry * entry;
        const double weight = value * value / length;
        if (row_of_[column] != no_index || !(weight > most)) continue;
        best = column;
        most = weight;
      }
      return take(row, best);
    });
  }

  const SparseRows<double>& matrix_;
  const std::vector<bool>& is_multiplier_;
  std::vector<std::size_t> row_of_;  // by unknown
  std::vector<std::size_t> held_, others_;
  SparseRows<double> by_column_;  // of what is held
};

/// Numbers of a Jacobian at states near which steps are short.
class SampledSlopes {
 public:
  SampledSlopes(const NamedFactors& equations, const SparseRows<Expr>& slopes, Expr step_size,
                Vector velocities)
      : equations_(equations),
        slopes_(slopes),
        step_size_(std::move(step_size)),
        velocities_(std::move(velocities)),
        entries_(entries_of(slopes)),
        sample_(concatenate({entries_, equations.definitions})) {}

  SparseRows<double> operator()(int number, double step, bool at_rest = false) {
    sample_.choose(number);
    for (const Expr& symbol : equations_.symbols) sample_.set(symbol, 0.0);  // increments
    if (at_rest)
      for (const Expr& velocity : velocities_) sample_.set(velocity, 0.0);
    sample_.set(step_size_, step);
    // Factors are no increments: they have the values that define them, one after the other.
    const std::size_t own = equations_.symbols.size() - equations_.definitions.size();
    for (std::size_t i = 0; i < equations_.definitions.size(); ++i)
      sample_.set(equations_.symbols[own + i], sample_()[entries_.size() + i]);
    std::vector<double> numbers = sample_();
    numbers.resize(entries_.size());
    return in_numbers(slopes_, numbers);
  }

 private:
  const NamedFactors& equations_;
  const SparseRows<Expr>& slopes_;
  Expr step_size_;
  Vector velocities_, entries_;
  NumericSample sample_;
};

/// Whether a matrix has no zero pivot where rows are exchanged.
bool is_regular(const SparseRows<double>& matrix) {
  const auto n = static_cast<int>(matrix.size());
  std::vector<double> dense(matrix.size() * matrix.size(), 0.0), pivot(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (const auto& [column, value] : matrix[i]) dense[i * matrix.size() + column] = value;
  return !numeric::lu_factor(n, dense.data(), pivot.data()).singular;
}

}  // namespace

std::optional<SparseBlock> sparse_block(const NamedFactors& equations,
                                        const std::vector<bool>& is_multiplier,
                                        const Expr& step_size, const Vector& velocities,
                                        double most_work) {
  SparseBlock block{sparse_jacobian(equations.functions, equations.symbols), {}};
  SampledSlopes sampled(equations, block.slopes, step_size, velocities);
  std::vector<SparseRows<double>> samples{sampled(0, 1e-3), sampled(1, 2e-3), sampled(2, 5e-2)};
  SaddlePairs pairs(samples.front(), is_multiplier);
  if (!pairs.find()) return std::nullopt;
  auto order = sparse_order(block.slopes, pairs.pivots(), is_multiplier, most_work);
  if (!order) return std::nullopt;
  if (!keeps_digits(samples, *order)) return std::nullopt;
  // Runs begin at rest, where a pivot may vanish that is there in every other state.
  const SparseRows<double> rest = sampled(0, 1e-3, true);
  if (!keeps_digits({rest}, *order) && is_regular(rest)) return std::nullopt;
  block.order = std::move(*order);
  return block;
}

}  // namespace dalembert
