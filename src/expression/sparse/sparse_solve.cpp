#include "dalembert/expression/sparse/sparse_solve.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <set>
#include <stdexcept>
#include <utility>

#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/sparse/numeric_sample.hpp"

namespace dalembert {
namespace {

bool is_no_entry(const Expr& value) { return value.is_constant(0.0); }
bool is_no_entry(double) { return false; }
Expr reciprocal(const Expr& value) { return Expr(1.0) / value; }
double reciprocal(double value) { return 1.0 / value; }

/// Gaussian elimination with given pivots; `b` holds the right-hand sides by row.
template <class Value>
class OrderedElimination {
 public:
  OrderedElimination(SparseRows<Value> matrix, std::vector<std::vector<Value>> right_sides)
      : a_(matrix.size()), b_(std::move(right_sides)), in_column_(a_.size()), inverse_(a_.size()) {
    for (std::size_t row = 0; row < a_.size(); ++row) {
      a_[row].reserve(2 * matrix[row].size());
      for (auto& [column, value] : matrix[row]) {
        a_[row].emplace_back(column, std::move(value));
        in_column_[column].push_back(row);
      }
    }
  }

  /// The solutions, by column of the matrix.
  std::vector<std::vector<Value>> solve(const std::vector<Pivot>& order) {
    for (const Pivot& pivot : order) eliminate(pivot);
    std::vector<std::vector<Value>> x(a_.size());
    for (auto pivot = order.rbegin(); pivot != order.rend(); ++pivot) {
      std::vector<Value> rest = std::move(b_[pivot->row]);
      for (const auto& [column, value] : a_[pivot->row]) {
        if (column == pivot->column) continue;
        for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= value * x[column][k];
      }
      for (Value& entry : rest) entry = entry * inverse_[pivot->column];
      x[pivot->column] = std::move(rest);
    }
    return x;
  }

 private:
  void eliminate(const Pivot& pivot) {
    const auto own = place_of(a_[pivot.row], pivot.column);
    if (own == a_[pivot.row].end() || own->first != pivot.column)
      throw std::domain_error("a linear system is singular: a pivot is zero");
    const Value inverse = inverse_[pivot.column] = reciprocal(own->second);
    for (const auto& [column, value] : a_[pivot.row]) std::erase(in_column_[column], pivot.row);
    for (const std::size_t row : in_column_[pivot.column]) {
      const auto entry = place_of(a_[row], pivot.column);
      const Value factor = entry->second * inverse;
      a_[row].erase(entry);
      for (const auto& [column, value] : a_[pivot.row]) {
        if (column != pivot.column) subtract(row, column, factor * value);
      }
      for (std::size_t k = 0; k < b_[row].size(); ++k) b_[row][k] -= factor * b_[pivot.row][k];
    }
    in_column_[pivot.column].clear();
  }

  void subtract(std::size_t row, std::size_t column, const Value& product) {
    count_node();  // also of numbers, which make no nodes
    std::vector<std::size_t>& rows = in_column_[column];
    const auto in_rows = std::ranges::lower_bound(rows, row);
    auto entry = place_of(a_[row], column);
    if (entry == a_[row].end() || entry->first != column) {
      entry = a_[row].emplace(entry, column, Value(0.0));
      rows.insert(in_rows, row);
    }
    entry->second -= product;
    if (!is_no_entry(entry->second)) return;
    a_[row].erase(entry);
    std::erase(rows, row);
  }

  /// The entries of a row that are not zero, ascending by column.
  using Row = std::vector<std::pair<std::size_t, Value>>;
  static auto place_of(Row& row, std::size_t column) {
    return std::ranges::lower_bound(row, column, {}, &Row::value_type::first);
  }

  std::vector<Row> a_;
  std::vector<std::vector<Value>> b_;
  std::vector<std::vector<std::size_t>> in_column_;  // rows with an entry that are not eliminated
  std::vector<Value> inverse_;                       // of pivots, by column
};

/// Minimum degree on the graph of pivots, in which two are neighbours where one has an entry in the
/// row or the column of the other.
class MinimumDegree {
 public:
  MinimumDegree(const SparseRows<Expr>& matrix, const std::vector<Pivot>& pivots,
                const std::vector<bool>& late)
      : neighbours_(pivots.size()), waits_for_(pivots.size(), 0) {
    std::vector<std::size_t> pivot_of(pivots.size());
    for (std::size_t i = 0; i < pivots.size(); ++i) pivot_of[pivots[i].column] = i;
    for (std::size_t i = 0; i < pivots.size(); ++i) {
      for (const auto& [column, value] : matrix[pivots[i].row]) link(i, pivot_of[column]);
    }
    waiting_.resize(pivots.size());
    for (std::size_t i = 0; i < pivots.size(); ++i) {
      for (const std::size_t j : neighbours_[i]) {
        if (!late[i] || late[j]) continue;
        ++waits_for_[i];
        waiting_[j].push_back(i);
      }
    }
    for (std::size_t i = 0; i < pivots.size(); ++i) offer(i);
  }

  /// The pivots in order; none beyond so much work.
  std::optional<std::vector<std::size_t>> order(double most_work) {
    std::vector<std::size_t> result;
    std::vector<bool> done(neighbours_.size(), false);
    for (double work = 0.0; !open_.empty();) {
      const auto [degree, next] = open_.top();
      open_.pop();
      if (done[next] || degree != neighbours_[next].size()) continue;
      done[next] = true;
      result.push_back(next);
      work += double(degree) * double(degree);
      if (work > most_work) return std::nullopt;
      take_out(next);
    }
    if (result.size() < neighbours_.size()) return std::nullopt;
    return result;
  }

 private:
  void link(std::size_t i, std::size_t j) {
    if (i == j) return;
    neighbours_[i].insert(j);
    neighbours_[j].insert(i);
  }

  void offer(std::size_t i) {
    if (waits_for_[i] == 0) open_.emplace(neighbours_[i].size(), i);
  }

  void take_out(std::size_t pivot) {
    const std::set<std::size_t> around = std::move(neighbours_[pivot]);
    for (const std::size_t i : around) {
      neighbours_[i].erase(pivot);
      for (const std::size_t j : around) link(i, j);
    }
    for (const std::size_t i : waiting_[pivot]) --waits_for_[i];
    for (const std::size_t i : around) offer(i);
  }

  using Candidate = std::pair<std::size_t, std::size_t>;  // degree and index
  std::vector<std::set<std::size_t>> neighbours_;
  std::vector<std::size_t> waits_for_;
  std::vector<std::vector<std::size_t>> waiting_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> open_;
};

}  // namespace

Vector entries_of(const SparseRows<Expr>& matrix) {
  Vector entries;
  for (const auto& row : matrix) {
    for (const auto& [column, value] : row) entries.push_back(value);
  }
  return entries;
}

SparseRows<Expr> sparse_rows(const Matrix& matrix) {
  SparseRows<Expr> rows(matrix.rows());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.columns(); ++j) {
      if (!matrix(i, j).is_constant(0.0)) rows[i].emplace(j, matrix(i, j));
    }
  }
  return rows;
}

std::optional<std::vector<Pivot>> sparse_order(const SparseRows<Expr>& matrix,
                                               const std::vector<Pivot>& pivots,
                                               const std::vector<bool>& late, double most_work) {
  const auto size = double(matrix.size());
  const auto order = MinimumDegree(matrix, pivots, late).order(size * size * size * most_work);
  if (!order) return std::nullopt;
  std::vector<Pivot> result;
  for (const std::size_t i : *order) result.push_back(pivots[i]);
  return result;
}

Matrix solve_in_order(const SparseRows<Expr>& matrix, const Matrix& right_sides,
                      const std::vector<Pivot>& order) {
  // What is in a frozen graph alone is brought into one overlay.
  const GraphPointer graph = common_graph({entries_of(matrix), right_sides.entries()});
  SparseRows<Expr> a = matrix;
  for (auto& row : a) {
    for (auto& [column, value] : row) value = in_graph(value, graph);
  }
  std::vector<Vector> b;
  for (std::size_t i = 0; i < right_sides.rows(); ++i)
    b.push_back(in_graph(right_sides.row(i), graph));
  const std::vector<Vector> x = OrderedElimination<Expr>(std::move(a), std::move(b)).solve(order);
  Matrix result(right_sides.rows(), right_sides.columns());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < x[i].size(); ++k) result(i, k) = x[i][k];
  }
  return result;
}

std::vector<double> solve_in_order(const SparseRows<double>& matrix,
                                   const std::vector<double>& right_side,
                                   const std::vector<Pivot>& order) {
  std::vector<std::vector<double>> b;
  for (const double entry : right_side) b.push_back({entry});
  std::vector<double> result;
  for (const auto& entry : OrderedElimination<double>(matrix, std::move(b)).solve(order))
    result.push_back(entry.front());
  return result;
}

SparseRows<double> in_numbers(const SparseRows<Expr>& matrix, const std::vector<double>& entries) {
  SparseRows<double> result(matrix.size());
  auto entry = entries.begin();
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (const auto& [column, value] : matrix[i]) result[i].emplace(column, *entry++);
  }
  return result;
}

namespace {

/// The largest residual of an equation relative to its terms.
double backward_error(const SparseRows<double>& matrix, const std::vector<double>& x,
                      const std::vector<double>& right_side) {
  double largest = 0.0;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    double residual = -right_side[i], size = std::fabs(right_side[i]);
    for (const auto& [column, value] : matrix[i]) {
      residual += value * x[column];
      size += std::fabs(value * x[column]);
    }
    if (residual == 0.0) continue;
    const double relative = std::fabs(residual) / size;
    largest = relative <= largest ? largest : relative;  // also nan
  }
  return largest;
}

}  // namespace

bool keeps_digits(const std::vector<SparseRows<double>>& samples, const std::vector<Pivot>& order) {
  return std::ranges::all_of(samples, [&](const SparseRows<double>& matrix) {
    std::vector<double> row_sums;
    for (const auto& row : matrix) {
      row_sums.push_back(0.0);
      for (const auto& [column, value] : row) row_sums.back() += value;
    }
    constexpr double most = 1e-10;
    return backward_error(matrix, solve_in_order(matrix, row_sums, order), row_sums) < most;
  });
}

namespace {

/// Whether the zeros are those of a symmetric matrix.
bool has_symmetric_form(const SparseRows<Expr>& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (const auto& [j, value] : matrix[i])
      if (!matrix[j].contains(i)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<Pivot>> symmetric_order(const SparseRows<Expr>& matrix) {
  if (!has_symmetric_form(matrix)) return std::nullopt;
  std::vector<Pivot> diagonal;
  std::vector<bool> late;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    diagonal.push_back({i, i});
    late.push_back(!matrix[i].contains(i));
  }
  auto order = sparse_order(matrix, diagonal, late);
  if (!order) return std::nullopt;
  const Vector entries = entries_of(matrix);
  std::vector<SparseRows<double>> samples;
  NumericSample sample(entries);
  for (int number = 0; number < 3; ++number) {
    sample.choose(number);
    samples.push_back(in_numbers(matrix, sample()));
  }
  if (!keeps_digits(samples, *order)) return std::nullopt;
  return order;
}

std::optional<Matrix> solve_sparsely(const SparseRows<Expr>& matrix, const Matrix& right_sides) {
  if (matrix.size() <= few_rows) return std::nullopt;
  const auto order = symmetric_order(matrix);
  if (!order) return std::nullopt;
  return solve_in_order(matrix, right_sides, *order);
}

}  // namespace dalembert
