#include "dalembert/audit/embedding.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"

namespace dalembert {

ConstraintChart::ConstraintChart(const System& system, std::span<const double> q,
                                 std::span<const double> parameters) {
  require_coordinates(system, "a chart of the constraint set by velocities");
  const ConstraintKind kind = system.traits().constraints;
  if (kind == ConstraintKind::nonlinear || system.traits().time_dependent ||
      system.traits().holonomic || system.is_skew_gradient())
    throw RequestError(
        "system \"" + system.name() +
        "\" has no chart of its constraint set by velocities: that needs "
        "constraints linear or affine in them and free of time, and none on positions");
  std::vector<double> a;
  {
    const Symbols s = system.symbols();
    StateFunction<double> matrix(system, s, system.constraint_matrix(s.q).entries(), parameters);
    const std::vector<double> rest(system.dof(), 0.0);
    const std::span<const double> entries = matrix(0.0, q, rest);
    a.assign(entries.begin(), entries.end());
  }
  // Elimination with a search for the largest pivot in each row: its column is a v^alpha.
  const std::size_t n = system.dof(), m = system.constraint_count();
  for (std::size_t row = 0; row < m; ++row) {
    std::size_t pivot = 0;
    for (std::size_t j = 1; j < n; ++j) {
      if (std::fabs(a[row * n + j]) > std::fabs(a[row * n + pivot])) pivot = j;
    }
    if (!(std::fabs(a[row * n + pivot]) > 1e-10))
      throw RequestError("the constraints of system \"" + system.name() +
                         "\" are dependent where their chart is to be chosen");
    for (std::size_t below = row + 1; below < m; ++below) {
      const double factor = a[below * n + pivot] / a[row * n + pivot];
      for (std::size_t j = 0; j < n; ++j) a[below * n + j] -= factor * a[row * n + j];
      a[below * n + pivot] = 0.0;
    }
    dependent.push_back(pivot);
  }
  std::sort(dependent.begin(), dependent.end());
  for (std::size_t j = 0; j < n; ++j) {
    if (!std::binary_search(dependent.begin(), dependent.end(), j)) free.push_back(j);
  }
}

Vector dependent_velocities(const System& system, const Symbols& s, const ConstraintChart& chart) {
  const std::size_t m = chart.dependent.size();
  if (m == 0) return {};
  const Matrix a = system.constraint_matrix(s.q);
  Vector rest = system.constraint(s.q, zeros(s.q.size()), s.t);
  Matrix block(m, m);
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t k = 0; k < m; ++k) block(row, k) = a(row, chart.dependent[k]);
    for (const std::size_t j : chart.free) rest[row] += a(row, j) * s.v[j];
  }
  return solve_linear(block, -rest);
}

}  // namespace dalembert
