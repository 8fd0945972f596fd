#include "dalembert/expression/linear_solve.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/sparse/sparse_solve.hpp"

namespace dalembert {
namespace {

/// Gaussian elimination on expressions: `rows` and `columns` are those not yet eliminated. The
/// lists of entries that are not structurally zero keep the work on sparse systems low.
struct Elimination {
  using Indices = std::vector<std::size_t>;  // ascending

  Matrix a, b;
  Indices rows, columns;
  std::vector<Pivot> done;
  std::vector<Indices> in_row;     // columns of its entries, those active when it was eliminated
  std::vector<Indices> in_column;  // active rows of its entries

  Elimination(Matrix matrix, Matrix right_sides)
      : a(std::move(matrix)), b(std::move(right_sides)), in_row(a.rows()), in_column(a.rows()) {
    for (std::size_t row = 0; row < a.rows(); ++row) {
      rows.push_back(row);
      columns.push_back(row);
      for (std::size_t column = 0; column < a.rows(); ++column) {
        if (a(row, column).is_constant(0.0)) continue;
        in_row[row].push_back(column);
        in_column[column].push_back(row);
      }
    }
  }

  static void insert(Indices& indices, std::size_t index) {
    const auto at = std::lower_bound(indices.begin(), indices.end(), index);
    if (at == indices.end() || *at != index) indices.insert(at, index);
  }

  /// Twice the fill-in of a pivot (Markowitz), and one more for pivots that are not constants.
  std::size_t cost(const Pivot& pivot) const {
    const std::size_t fill = (in_row[pivot.row].size() - 1) * (in_column[pivot.column].size() - 1);
    return 2 * fill + (a(pivot.row, pivot.column).is_constant() ? 0 : 1);
  }

  /// The provably non-zero entry of least cost.
  std::optional<Pivot> best_pivot() const {
    std::optional<Pivot> best;
    std::size_t least = 0;
    for (const std::size_t row : rows) {
      for (const std::size_t column : in_row[row]) {
        if (!a(row, column).facts().nonzero) continue;
        const std::size_t candidate = cost({row, column});
        if (best && candidate >= least) continue;
        best = Pivot{row, column};
        least = candidate;
      }
    }
    return best;
  }

  void eliminate_all(std::vector<Pivot> pivots) {
    while (!pivots.empty()) {
      const auto best =
          std::min_element(pivots.begin(), pivots.end(),
                           [&](const Pivot& x, const Pivot& y) { return cost(x) < cost(y); });
      eliminate(*best);
      pivots.erase(best);
    }
  }

  void eliminate(Pivot pivot) {
    std::erase(rows, pivot.row);
    std::erase(columns, pivot.column);
    done.push_back(pivot);
    for (const std::size_t column : in_row[pivot.row]) std::erase(in_column[column], pivot.row);
    std::erase(in_row[pivot.row], pivot.column);
    for (const std::size_t row : in_column[pivot.column]) {
      const Expr factor = a(row, pivot.column) / a(pivot.row, pivot.column);
      a(row, pivot.column) = 0.0;
      std::erase(in_row[row], pivot.column);
      for (const std::size_t column : in_row[pivot.row])
        change(row, column, a(row, column) - factor * a(pivot.row, column));
      for (std::size_t k = 0; k < b.columns(); ++k) b(row, k) -= factor * b(pivot.row, k);
    }
    in_column[pivot.column].clear();
  }

  void change(std::size_t row, std::size_t column, Expr value) {
    count_node();  // also of numbers, which make no nodes: dense systems are work
    if (value.is_constant(0.0)) {
      std::erase(in_row[row], column);
      std::erase(in_column[column], row);
    } else {
      insert(in_row[row], column);
      insert(in_column[column], row);
    }
    a(row, column) = std::move(value);
  }

  /// What has no provable pivot: one division, or a numeric solve.
  void solve_remainder(Matrix& x) const {
    const std::size_t n = rows.size();
    if (n == 0) return;
    for (const std::size_t row : rows) {
      if (in_row[row].empty()) throw std::domain_error("a linear system has a row of zeros");
    }
    for (const std::size_t column : columns) {
      if (in_column[column].empty())
        throw std::domain_error("a linear system has a column of zeros");
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

  /// Entry `column` of row `pivot.row` by back substitution: what became known first is taken
  /// first.
  void substitute_back(Matrix& x) const {
    std::vector<std::size_t> rank(a.rows(), 0);
    std::size_t next = 0;
    for (const std::size_t column : columns) rank[column] = next++;
    for (auto pivot = done.rbegin(); pivot != done.rend(); ++pivot) {
      Indices known = in_row[pivot->row];
      std::ranges::sort(known, {}, [&](std::size_t column) { return rank[column]; });
      for (std::size_t k = 0; k < b.columns(); ++k) {
        Expr rest = b(pivot->row, k);
        for (const std::size_t column : known) rest -= a(pivot->row, column) * x(column, k);
        x(pivot->column, k) = rest / a(pivot->row, pivot->column);
      }
      rank[pivot->column] = next++;
    }
  }
};

Elimination whole_system(const Matrix& matrix, const Matrix& right_sides) {
  require_size("a linear system: the list of columns", matrix.columns(), matrix.rows());
  require_size("a linear system: the right-hand side", right_sides.rows(), matrix.rows());
  // What is in a frozen graph alone is brought into one overlay.
  const GraphPointer graph = common_graph({matrix.entries(), right_sides.entries()});
  return {in_graph(matrix, graph), in_graph(right_sides, graph)};
}

Matrix as_column(const Vector& entries) {
  Matrix column(entries.size(), 1);
  column.entries() = entries;
  return column;
}

}  // namespace

Matrix solve_linear(const Matrix& matrix, const Matrix& right_sides) {
  if (matrix.rows() > few_rows && matrix.rows() == matrix.columns() &&
      right_sides.rows() == matrix.rows()) {
    if (auto solution = solve_sparsely(sparse_rows(matrix), right_sides))
      return *std::move(solution);
  }
  return solve_densely(matrix, right_sides);
}

Matrix solve_densely(const Matrix& matrix, const Matrix& right_sides) {
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
