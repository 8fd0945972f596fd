#include "dalembert/expression/linear_solve.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>

namespace dalembert {
namespace {

struct Pivot {
  std::size_t row, column;
};

/// Gaussian elimination on expressions: `active` rows and columns are those not yet eliminated.
struct Elimination {
  Matrix a, b;
  std::vector<std::size_t> rows, columns;  // still active
  std::vector<Pivot> done;

  std::size_t row_count(std::size_t row) const {
    return static_cast<std::size_t>(
        std::count_if(columns.begin(), columns.end(),
                      [&](std::size_t column) { return !a(row, column).is_constant(0.0); }));
  }
  std::size_t column_count(std::size_t column) const {
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](std::size_t row) {
      return !a(row, column).is_constant(0.0);
    }));
  }

  /// Markowitz: the provably non-zero entry with the least fill-in; constants first among equals.
  std::optional<Pivot> best_pivot() const {
    std::optional<Pivot> best;
    std::size_t best_cost = 0;
    for (const std::size_t row : rows) {
      for (const std::size_t column : columns) {
        const Expr& entry = a(row, column);
        if (!entry.facts().nonzero) continue;
        const std::size_t fill = (row_count(row) - 1) * (column_count(column) - 1);
        const std::size_t cost = 2 * fill + (entry.is_constant() ? 0 : 1);
        if (!best || cost < best_cost) {
          best = Pivot{row, column};
          best_cost = cost;
        }
      }
    }
    return best;
  }

  void eliminate(Pivot pivot) {
    std::erase(rows, pivot.row);
    std::erase(columns, pivot.column);
    done.push_back(pivot);
    for (const std::size_t row : rows) {
      if (a(row, pivot.column).is_constant(0.0)) continue;
      const Expr factor = a(row, pivot.column) / a(pivot.row, pivot.column);
      a(row, pivot.column) = 0.0;
      for (const std::size_t column : columns) a(row, column) -= factor * a(pivot.row, column);
      for (std::size_t k = 0; k < b.columns(); ++k) b(row, k) -= factor * b(pivot.row, k);
    }
  }

  /// What has no provable pivot: one division, or a numeric solve.
  void solve_remainder(Matrix& x) const {
    const std::size_t n = rows.size();
    if (n == 0) return;
    for (const std::size_t row : rows) {
      if (row_count(row) == 0) throw std::domain_error("a linear system has a row of zeros");
    }
    for (const std::size_t column : columns) {
      if (column_count(column) == 0)
        throw std::domain_error("a linear system has a column of zeros");
    }
    for (std::size_t k = 0; k < b.columns(); ++k) {
      if (n == 1) {
        x(columns[0], k) = b(rows[0], k) / a(rows[0], columns[0]);
        continue;
      }
      Graph* graph = nullptr;
      for (const Expr& entry : a.entries()) graph = graph != nullptr ? graph : entry.graph();
      for (const Expr& entry : b.entries()) graph = graph != nullptr ? graph : entry.graph();
      assert(graph != nullptr && "a constant matrix leaves no remainder");
      std::vector<NodeId> operands;
      for (const std::size_t row : rows) {
        for (const std::size_t column : columns) operands.push_back(a(row, column).id_in(*graph));
      }
      for (const std::size_t row : rows) operands.push_back(b(row, k).id_in(*graph));
      const NodeId node = graph->solve(operands, static_cast<NodeId>(n));
      for (std::size_t i = 0; i < n; ++i) {
        x(columns[i], k) = Expr(*graph, graph->component(node, static_cast<NodeId>(i)));
      }
    }
  }

  /// Entry `column` of row `pivot.row` by back substitution.
  void substitute_back(Matrix& x) const {
    std::vector<std::size_t> known = columns;
    for (auto pivot = done.rbegin(); pivot != done.rend(); ++pivot) {
      for (std::size_t k = 0; k < b.columns(); ++k) {
        Expr rest = b(pivot->row, k);
        for (const std::size_t column : known) rest -= a(pivot->row, column) * x(column, k);
        x(pivot->column, k) = rest / a(pivot->row, pivot->column);
      }
      known.push_back(pivot->column);
    }
  }
};

}  // namespace

Matrix solve_linear(const Matrix& matrix, const Matrix& right_sides) {
  assert(matrix.rows() == matrix.columns() && matrix.rows() == right_sides.rows());
  Elimination elimination{matrix, right_sides, {}, {}, {}};
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    elimination.rows.push_back(i);
    elimination.columns.push_back(i);
  }
  while (const auto pivot = elimination.best_pivot()) elimination.eliminate(*pivot);
  Matrix x(matrix.rows(), right_sides.columns());
  elimination.solve_remainder(x);
  elimination.substitute_back(x);
  return x;
}

Vector solve_linear(const Matrix& matrix, const Vector& right_side) {
  Matrix columns(right_side.size(), 1);
  columns.entries() = right_side;
  return solve_linear(matrix, columns).entries();
}

}  // namespace dalembert
