#pragma once

#include <limits>
#include <vector>

#include "dalembert/audit/jacobian.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// dp/dq and dp/dv of p = dL/dv as functions of parameters, t, q and v.
template <class Number>
class MomentumSlopes {
 public:
  /// Parameters in the order of the description; the defaults if empty.
  explicit MomentumSlopes(const System& system, std::span<const double> parameters = {})
      : dof_(system.dof()), function_(compiled(system, parameters)) {}

  /// The symplectic form dq ^ dp at a point as a matrix in the coordinates (q, v):
  /// [[B - B^T, M], [-M, 0]] with B = dp/dq and M = dp/dv.
  NumberMatrix<Number> form(const BasicPoint<Number>& point) {
    const std::span<const Number> entries = function_(point.t, point.q, point.v);
    const std::size_t n = dof_;
    const auto b = [&](std::size_t i, std::size_t j) { return entries[i * 2 * n + j]; };
    const auto m = [&](std::size_t i, std::size_t j) { return entries[i * 2 * n + n + j]; };
    NumberMatrix<Number> w(2 * n, std::vector<Number>(2 * n, Number(0.0)));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        w[i][j] = b(i, j) - b(j, i);
        w[i][n + j] = m(i, j);
        w[n + i][j] = -m(j, i);
      }
    }
    return w;
  }

 private:
  static StateFunction<Number> compiled(const System& system, std::span<const double> parameters) {
    require_coordinates(system, "the symplectic form");
    const Symbols s = system.symbols();
    const Vector state = concatenate({s.q, s.v});
    const Matrix slopes = jacobian(system.momentum(s.q, s.v), state);
    Vector entries;
    for (std::size_t i = 0; i < s.q.size(); ++i) {
      for (std::size_t j = 0; j < state.size(); ++j) entries.push_back(slopes(i, j));
    }
    return {system, s, entries, parameters};
  }

  std::size_t dof_;
  StateFunction<Number> function_;
};

/// Defect of symplecticity of one step of a system without constraints: the largest entry of
/// J^T w1 J - w0, where J is the Jacobian of the step map in (q, v) and w0, w1 are the forms
/// dq ^ dp before and after, p = dL/dv. About eps^(6/7) for a symplectic method (see
/// `difference_jacobian`), of the order of the local error otherwise. Infinite if a step was
/// refused. Source: [HairerLubichWanner2006], Def. VI.2.2.
template <class Number>
double symplecticity_defect(StepMap<Number>& map, const BasicPoint<Number>& start,
                            const Number& h) {
  const NumberMatrix<Number> j = step_jacobian(map, start, h);
  BasicPoint<Number> end = start;
  if (j.empty() || !map.apply(end, h)) return std::numeric_limits<double>::infinity();
  MomentumSlopes<Number> slopes(map.program().system(), map.parameters());
  const NumberMatrix<Number> before = slopes.form(start), after = slopes.form(end);
  const std::size_t n = before.size();
  double largest = 0.0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      Number sum = -before[a][b];
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t l = 0; l < n; ++l) sum = sum + j[k][a] * after[k][l] * j[l][b];
      }
      const auto size = static_cast<double>(sum < Number(0.0) ? Number(-sum) : sum);
      largest = numeric::larger(largest, size);
    }
  }
  return largest;
}

}  // namespace dalembert
