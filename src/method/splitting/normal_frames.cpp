#include "normal_frames.hpp"

#include <algorithm>
#include <optional>

#include "dalembert/expression/linear_solve.hpp"

namespace dalembert {
namespace {

/// The lower factor L of a symmetric positive definite matrix L L^T.
Matrix cholesky_factor(const Matrix& s) {
  const std::size_t n = s.rows();
  Matrix lower(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      Expr sum = s(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
      lower(i, j) = i == j ? sqrt(sum) : sum / lower(j, j);
    }
  }
  return lower;
}

/// The symmetric square root of a symmetric positive definite 2 x 2 matrix.
Matrix square_root(const Matrix& s) {
  const Expr off_diagonal = s(0, 1) * s(1, 0);
  const Expr root = sqrt(s(0, 0) * s(1, 1) - off_diagonal), twice = 2.0 * root;
  const Expr scale = 1.0 / sqrt(s(0, 0) + s(1, 1) + twice);
  Matrix result(2, 2);
  result(0, 0) = scale * (s(0, 0) + root);
  result(0, 1) = scale * s(0, 1);
  result(1, 0) = result(0, 1);
  result(1, 1) = scale * (s(1, 1) + root);
  return result;
}

/// The orthogonal matrix nearest to y. Newton's iteration x -> (x + x^-T)/2 maps each singular
/// value s to (s + 1/s)/2: of s = cos(angle) eight passes leave 1e-19 for an angle of 1.4 and less
/// than 1e-35, the round-off of 113 bits, up to 1.2.
Matrix nearest_orthogonal(const Matrix& y) {
  constexpr int passes = 8;
  const Matrix one = Matrix::identity(y.rows());
  Matrix x = y;
  for (int pass = 0; pass < passes; ++pass) x = Expr(0.5) * (x + solve_linear(transpose(x), one));
  return x;
}

/// Q^T, where overlap = n0^T M n1 = Q Y, Q orthogonal and Y symmetric: n1 Q^T are the normals at
/// the end that are nearest to those at the start, each to each.
Matrix alignment(const Matrix& overlap) {
  if (overlap.rows() == 1) {
    Matrix result(1, 1);
    result(0, 0) = sign(overlap(0, 0));
    return result;
  }
  if (overlap.rows() > 2) return transpose(nearest_orthogonal(overlap));
  // Y^2 = overlap^T overlap and Q^T = Y^-1 overlap^T.
  const Matrix stretch = square_root(transpose(overlap) * overlap);
  return solve_linear(stretch, transpose(overlap));
}
Matrix aligned(const Matrix& overlap, const Matrix& n1) {
  if (overlap.rows() == 1) return sign(overlap(0, 0)) * n1;
  return n1 * alignment(overlap);
}

/// L^-1 of a lower factor, applied to columns.
Matrix forward_substitution(const Matrix& lower, const Matrix& right) {
  Matrix result = right;
  for (std::size_t i = 0; i < right.rows(); ++i) {
    for (std::size_t j = 0; j < right.columns(); ++j) {
      Expr entry = right(i, j);
      for (std::size_t k = 0; k < i; ++k) entry -= lower(i, k) * result(k, j);
      result(i, j) = entry / lower(i, i);
    }
  }
  return result;
}

Matrix as_column(const Vector& entries) {
  Matrix column(entries.size(), 1);
  for (std::size_t i = 0; i < entries.size(); ++i) column(i, 0) = entries[i];
  return column;
}

/// Of the columns that are left, the determinant of the rows from `row` on.
Expr minor(const Matrix& rows, std::size_t row, const std::vector<std::size_t>& columns) {
  if (columns.size() == 1) return rows(row, columns.front());
  Expr sum = 0.0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Expr& entry = rows(row, columns[k]);
    if (entry.is_constant(0.0)) continue;
    std::vector<std::size_t> others = columns;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    const Expr term = entry * minor(rows, row + 1, others);
    sum = k % 2 == 0 ? sum + term : sum - term;
  }
  return sum;
}

/// The vector normal to n - 1 vectors in n dimensions.
Vector cross_product(const Matrix& rows) {
  Vector result;
  for (std::size_t j = 0; j < rows.columns(); ++j) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < rows.columns(); ++i) {
      if (i != j) others.push_back(i);
    }
    const Expr value = minor(rows, 0, others);
    result.push_back(j % 2 == 0 ? value : -value);
  }
  return result;
}

Matrix some_columns(const Matrix& all, const std::vector<std::size_t>& which) {
  Matrix part(all.rows(), which.size());
  for (std::size_t i = 0; i < all.rows(); ++i) {
    for (std::size_t j = 0; j < which.size(); ++j) part(i, j) = all(i, which[j]);
  }
  return part;
}

/// Columns that constraints can be solved for: entries that are provably not zero, one in each row
/// as elimination finds them, constants first. Empty if there are not enough.
std::vector<std::size_t> solvable_columns(Matrix a) {
  std::vector<bool> row_done(a.rows(), false), column_done(a.columns(), false);
  std::vector<std::size_t> result;
  while (result.size() < a.rows()) {
    std::optional<Pivot> best;
    for (std::size_t i = 0; i < a.rows(); ++i) {
      for (std::size_t j = 0; j < a.columns(); ++j) {
        if (row_done[i] || column_done[j] || !a(i, j).facts().nonzero) continue;
        if (!best || (a(i, j).is_constant() && !a(best->row, best->column).is_constant()))
          best = Pivot{i, j};
      }
    }
    if (!best) return {};
    row_done[best->row] = column_done[best->column] = true;
    result.push_back(best->column);
    for (std::size_t i = 0; i < a.rows(); ++i) {
      if (row_done[i] || a(i, best->column).is_constant(0.0)) continue;
      const Expr factor = a(i, best->column) / a(best->row, best->column);
      for (std::size_t j = 0; j < a.columns(); ++j) a(i, j) -= factor * a(best->row, j);
    }
  }
  return result;
}

/// M^-1 less what the constraints take, for unit impulses on the free coordinates.
Matrix impulse_responses(const Matrix& a, const Matrix& mass,
                         const std::vector<std::size_t>& free) {
  const Matrix unit = some_columns(Matrix::identity(a.columns()), free);
  const Matrix across = solve_linear(mass, transpose(a));
  const Matrix free_response = solve_linear(mass, unit);
  const Matrix violated = a * free_response;
  const Matrix reaction = solve_linear(a * across, violated);
  return free_response - across * reaction;
}

}  // namespace

Matrix unit_normals(const Matrix& a, const Matrix& mass) {
  const Matrix directions = solve_linear(mass, transpose(a));
  // M^-1 A^T L^-T: each column less its parts along those before.
  return transpose(forward_substitution(cholesky_factor(a * directions), transpose(directions)));
}

Vector carried_velocity(const Matrix& n0, const Matrix& n1, const Matrix& mass,
                        const Vector& x_dot) {
  const Matrix weighted = mass * n1;
  const Matrix end = aligned(transpose(n0) * weighted, n1);
  const Matrix end_weighted = transpose(mass * end);
  const Matrix overlap = Matrix::identity(n0.columns()) + end_weighted * n0;
  const Vector parts = solve_linear(transpose(overlap), end_weighted * x_dot);
  return x_dot - (n0 + end) * parts;
}

Vector bisecting_conditions(const Matrix& a0, const Vector& r0, const Matrix& a1, const Vector& r1,
                            const Matrix& mass) {
  if (r0.empty()) return {};
  const Matrix n0 = solve_linear(mass, transpose(a0)), n1 = solve_linear(mass, transpose(a1));
  const Matrix lower0 = cholesky_factor(a0 * n0), lower1 = cholesky_factor(a1 * n1);
  // L0^-1 a0 M^-1 a1^T L1^-T.
  const Matrix half = forward_substitution(lower0, a0 * n1);
  const Matrix overlap = transpose(forward_substitution(lower1, transpose(half)));
  const Matrix turned = transpose(alignment(overlap));
  const Matrix end = turned * forward_substitution(lower1, as_column(r1));
  return (forward_substitution(lower0, as_column(r0)) + end).column(0);
}

Vector unit_direction(const Matrix& a, const Matrix& mass) {
  constexpr std::size_t most = 5;  // minors grow like factorials
  const std::size_t n = a.columns();
  if (a.rows() + 1 != n || n < 2 || n > most) return {};
  const Vector k = cross_product(a);
  const Expr length = sqrt(dot(k, mass * k));
  Vector unit;
  for (const Expr& entry : k) unit.push_back(entry / length);
  return unit;
}

KernelBasis kernel_basis(const Matrix& a, const Matrix& mass) {
  const std::vector<std::size_t> solved = solvable_columns(a);
  KernelBasis basis;
  if (solved.empty()) return basis;
  for (std::size_t j = 0; j < a.columns(); ++j) {
    if (std::ranges::find(solved, j) == solved.end()) basis.free.push_back(j);
  }
  const Matrix others = solve_linear(some_columns(a, solved), some_columns(a, basis.free));
  basis.directions = Matrix(a.columns(), basis.free.size());
  for (std::size_t j = 0; j < basis.free.size(); ++j) {
    basis.directions(basis.free[j], j) = 1.0;
    for (std::size_t i = 0; i < solved.size(); ++i) basis.directions(solved[i], j) = -others(i, j);
  }
  basis.responses = impulse_responses(a, mass, basis.free);
  return basis;
}

}  // namespace dalembert
