#include "dalembert/expression/linear_solve.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace dalembert {
namespace {

/// Gaussian elimination on expressions: `active` rows and columns are those not yet eliminated.
struct Elimination {
  Matrix a, b;
  std::vector<std::size_t> rows, columns;  // still active
  std::vector<Pivot> done;

  /// Entries that are not structurally zero, of each active row and column.
  struct Counts {
    std::vector<std::size_t> row, column;
  };
  Counts counts() const {
    Counts result{std::vector<std::size_t>(a.rows(), 0), std::vector<std::size_t>(a.rows(), 0)};
    for (const std::size_t row : rows) {
      for (const std::size_t column : columns) {
        if (a(row, column).is_constant(0.0)) continue;
        ++result.row[row];
        ++result.column[column];
      }
    }
    return result;
  }

  /// Twice the fill-in of a pivot (Markowitz), and one more for pivots that are not constants.
  std::size_t cost(const Counts& counts, const Pivot& pivot) const {
    const std::size_t fill = (counts.row[pivot.row] - 1) * (counts.column[pivot.column] - 1);
    return 2 * fill + (a(pivot.row, pivot.column).is_constant() ? 0 : 1);
  }

  /// The provably non-zero entry of least cost.
  std::optional<Pivot> best_pivot() const {
    const Counts all = counts();
    std::optional<Pivot> best;
    for (const std::size_t row : rows) {
      for (const std::size_t column : columns) {
        const Pivot pivot{row, column};
        if (!a(row, column).facts().nonzero) continue;
        if (!best || cost(all, pivot) < cost(all, *best)) best = pivot;
      }
    }
    return best;
  }

  void eliminate_all(std::vector<Pivot> pivots) {
    while (!pivots.empty()) {
      const Counts all = counts();
      const auto best = std::min_element(
          pivots.begin(), pivots.end(),
          [&](const Pivot& x, const Pivot& y) { return cost(all, x) < cost(all, y); });
      eliminate(*best);
      pivots.erase(best);
    }
  }

  void eliminate(Pivot pivot) {
    std::erase(rows, pivot.row);
    std::erase(columns, pivot.column);
    done.push_back(pivot);
    for (const std::size_t row : rows) {
      if (a(row, pivot.column).is_constant(0.0)) continue;
      const Expr factor = a(row, pivot.column) / a(pivot.row, pivot.column);
      a(row, pivot.column) = 0.0;
      for (const std::size_t column : columns) {
        if (!a(pivot.row, column).is_constant(0.0)) a(row, column) -= factor * a(pivot.row, column);
      }
      for (std::size_t k = 0; k < b.columns(); ++k) b(row, k) -= factor * b(pivot.row, k);
    }
  }

  /// What has no provable pivot: one division, or a numeric solve.
  void solve_remainder(Matrix& x) const {
    const std::size_t n = rows.size();
    if (n == 0) return;
    const Counts all = counts();
    for (const std::size_t row : rows) {
      if (all.row[row] == 0) throw std::domain_error("a linear system has a row of zeros");
    }
    for (const std::size_t column : columns) {
      if (all.column[column] == 0) throw std::domain_error("a linear system has a column of zeros");
    }
    for (std::size_t k = 0; k < b.columns(); ++k) {
      if (n == 1) {
        x(columns[0], k) = b(rows[0], k) / a(rows[0], columns[0]);
        continue;
      }
      const GraphPointer graph = common_graph({a.entries(), b.entries()});
      if (graph == nullptr)
        throw std::logic_error("solve_by_pivoting is for matrices that are not all constants");
      std::vector<NodeId> operands;
      for (const std::size_t row : rows) {
        for (const std::size_t column : columns) operands.push_back(a(row, column).id_in(*graph));
      }
      for (const std::size_t row : rows) operands.push_back(b(row, k).id_in(*graph));
      const NodeId node = graph->solve(operands, static_cast<NodeId>(n));
      for (std::size_t i = 0; i < n; ++i) {
        x(columns[i], k) = Expr(graph, graph->component(node, static_cast<NodeId>(i)));
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

Elimination whole_system(const Matrix& matrix, const Matrix& right_sides) {
  require_size("a linear system: the list of columns", matrix.columns(), matrix.rows());
  require_size("a linear system: the right-hand side", right_sides.rows(), matrix.rows());
  // What is in a frozen graph alone is brought into one overlay.
  const GraphPointer graph = common_graph({matrix.entries(), right_sides.entries()});
  Elimination elimination{in_graph(matrix, graph), in_graph(right_sides, graph), {}, {}, {}};
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    elimination.rows.push_back(i);
    elimination.columns.push_back(i);
  }
  return elimination;
}

Matrix as_column(const Vector& entries) {
  Matrix column(entries.size(), 1);
  column.entries() = entries;
  return column;
}

}  // namespace

Matrix solve_linear(const Matrix& matrix, const Matrix& right_sides) {
  Elimination elimination = whole_system(matrix, right_sides);
  while (const auto pivot = elimination.best_pivot()) elimination.eliminate(*pivot);
  Matrix x(matrix.rows(), right_sides.columns());
  elimination.solve_remainder(x);
  elimination.substitute_back(x);
  return x;
}

Vector solve_linear(const Matrix& matrix, const Vector& right_side) {
  return solve_linear(matrix, as_column(right_side)).entries();
}

Vector solve_by_pivoting(const Matrix& matrix, const Vector& right_side) {
  Matrix x(matrix.rows(), 1);
  whole_system(matrix, as_column(right_side)).solve_remainder(x);
  return x.entries();
}

SchurComplement eliminate(const Matrix& matrix, const Vector& right_side,
                          std::vector<Pivot> pivots) {
  Elimination elimination = whole_system(matrix, as_column(right_side));
  elimination.eliminate_all(std::move(pivots));
  SchurComplement result;
  result.rows = elimination.rows;
  result.columns = elimination.columns;
  result.matrix = Matrix(result.rows.size(), result.columns.size());
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    result.right_side.push_back(elimination.b(result.rows[i], 0));
    for (std::size_t j = 0; j < result.columns.size(); ++j)
      result.matrix(i, j) = elimination.a(result.rows[i], result.columns[j]);
  }
  return result;
}

}  // namespace dalembert
