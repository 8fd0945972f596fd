#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "dalembert/audit/jacobian.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/round_off.hpp"

namespace dalembert {

/// Coordinates (q, y) of the constraint set of a system with a quadratic kinetic energy and
/// constraints linear or affine in v: v = X(q) y + b(q), where the columns of X are orthonormal in
/// the mass matrix, X^T M X = 1, and b is the velocity nearest to zero that satisfies the
/// constraints. X comes from the Gram-Schmidt process in the mass matrix on projections of fixed
/// unit vectors, which makes it smooth near the point where it was chosen. Another orthonormal
/// frame changes y by a rotation that depends on q, so the volume sqrt(det M) dq dy belongs to the
/// system alone: the volume of its kinetic energy on Q times that on D. Without constraints it is
/// the Liouville volume dq dp.
template <class Number>
class VolumeChart {
 public:
  /// Chooses the unit vectors at a point. Parameters in the order of the description; the defaults
  /// if empty.
  VolumeChart(const System& system, std::span<const double> parameters,
              const BasicPoint<Number>& point)
      : dof_(system.dof()),
        constraints_(system.constraint_count()),
        functions_(compiled(system, parameters)) {
    choose(point);
  }

  /// Chooses the unit vectors anew.
  void choose(const BasicPoint<Number>& point) {
    chosen_.clear();
    frame(point, nullptr);
  }
  /// The coordinate whose unit vector makes each entry of y.
  const std::vector<std::size_t>& chosen() const { return chosen_; }

  /// y at (q, v).
  std::vector<Number> velocity_coordinates(const BasicPoint<Number>& point) {
    const NumberMatrix<Number> x = frame(point, &chosen_);
    std::vector<Number> y;
    for (const std::vector<Number>& column : x) y.push_back(product(column, point.v));
    return y;
  }
  /// sqrt(det M), the density of the volume in these coordinates; with multipliers as coordinates
  /// too, times sqrt(det A M^-1 A^T), which measures them by the accelerations that they make.
  Number density(const BasicPoint<Number>& point, bool with_multiplier) {
    using std::sqrt;
    values_ = functions_(point.t, point.q, point.v);
    const Number density = sqrt(determinant(square_matrix(0, dof_)));
    if (!with_multiplier) return density;
    return density * sqrt(determinant(square_matrix((2 * dof_ + 1) * dof_, constraints_)));
  }
  /// v at (q, y), where q is that of the point.
  std::vector<Number> velocity(const BasicPoint<Number>& point, const std::vector<Number>& y) {
    const NumberMatrix<Number> x = frame(point, &chosen_);
    std::vector<Number> v = offset_;
    for (std::size_t a = 0; a < y.size(); ++a) {
      for (std::size_t i = 0; i < dof_; ++i) v[i] = v[i] + x[a][i] * y[a];
    }
    return v;
  }

 private:
  /// M; the projection of zero; the projections of the unit vectors less that; A M^-1 A^T.
  static StateFunction<Number> compiled(const System& system, std::span<const double> parameters) {
    require_coordinates(system, "the volume of the constraint set");
    const Symbols s = system.symbols();
    const std::size_t n = system.dof();
    const Matrix mass = system.mass(s.q);
    Vector outputs;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) outputs.push_back(mass(i, j));
    }
    const Vector offset = system.projected_velocity(s.q, zeros(n), s.t);
    outputs = concatenate({outputs, offset});
    for (std::size_t i = 0; i < n; ++i) {
      Vector unit = zeros(n);
      unit[i] = Expr(1.0);
      outputs = concatenate({outputs, system.projected_velocity(s.q, unit, s.t) - offset});
    }
    const Matrix a = system.constraint_matrix(s.q);
    const Matrix reaction = a * system.multiplier_directions(s.q);
    for (std::size_t i = 0; i < system.constraint_count(); ++i) {
      for (std::size_t j = 0; j < system.constraint_count(); ++j) outputs.push_back(reaction(i, j));
    }
    return {system, s, outputs, parameters};
  }

  NumberMatrix<Number> square_matrix(std::size_t first, std::size_t size) const {
    NumberMatrix<Number> matrix;
    for (std::size_t i = 0; i < size; ++i) {
      const auto row = values_.begin() + static_cast<std::ptrdiff_t>(first + i * size);
      matrix.emplace_back(row, row + static_cast<std::ptrdiff_t>(size));
    }
    return matrix;
  }
  Number product(const std::vector<Number>& x, const std::vector<Number>& y) const {
    Number sum(0.0);
    for (std::size_t i = 0; i < dof_; ++i) {
      for (std::size_t j = 0; j < dof_; ++j) sum = sum + x[i] * values_[i * dof_ + j] * y[j];
    }
    return sum;
  }

  /// X by columns, from the given unit vectors, or from those that it chooses: always the one whose
  /// rest is largest.
  NumberMatrix<Number> frame(const BasicPoint<Number>& point,
                             const std::vector<std::size_t>* given) {
    using std::sqrt;
    values_ = functions_(point.t, point.q, point.v);
    const auto part = [&](std::size_t row) {
      const auto begin = values_.begin() + static_cast<std::ptrdiff_t>((dof_ + row) * dof_);
      return std::vector<Number>(begin, begin + static_cast<std::ptrdiff_t>(dof_));
    };
    offset_ = part(0);
    NumberMatrix<Number> rests, x;
    for (std::size_t i = 0; i < dof_; ++i) rests.push_back(part(1 + i));
    for (std::size_t step = 0; step < dof_; ++step) {
      std::size_t next = 0;
      if (given != nullptr) {
        if (step == given->size()) break;
        next = (*given)[step];
      } else {
        for (std::size_t i = 1; i < dof_; ++i) {
          if (product(rests[i], rests[i]) > product(rests[next], rests[next])) next = i;
        }
        // The rests of unit vectors outside the span vanish to round-off.
        if (product(rests[next], rests[next]) < sqrt(numeric::round_off<Number>())) break;
        chosen_.push_back(next);
      }
      std::vector<Number> column = rests[next];
      const Number length = sqrt(product(column, column));
      for (Number& entry : column) entry = entry / length;
      for (std::vector<Number>& rest : rests) {
        const Number along = product(column, rest);
        for (std::size_t i = 0; i < dof_; ++i) rest[i] = rest[i] - along * column[i];
      }
      x.push_back(column);
    }
    return x;
  }

  std::size_t dof_, constraints_;
  StateFunction<Number> functions_;
  std::span<const Number> values_;  ///< of the last call
  std::vector<Number> offset_;
  std::vector<std::size_t> chosen_;
};

/// The factor by which one step of size h changes the volume of the constraint set (see
/// `VolumeChart`), with that of the multiplier where the method carries it, less one: the absolute
/// determinant of the Jacobian of the step map in the coordinates (q, y), times the densities;
/// accuracy of `difference_jacobian`. 0 where a map keeps the volume. For Lagrangians that are
/// quadratic in v, constraints at most affine in v, and methods that map the constraint set to
/// itself. nan if a step was refused.
template <class Number>
double volume_change_minus_one(StepMap<Number>& map, const BasicPoint<Number>& start,
                               const Number& h) {
  const System& system = map.program().system();
  const std::size_t n = system.dof();
  const bool carries = map.program().method().facts().carries_multiplier;
  BasicPoint<Number> end = start;
  if (!map.apply(end, h)) return std::numeric_limits<double>::quiet_NaN();
  VolumeChart<Number> before(system, map.parameters(), start), after(system, map.parameters(), end);
  const auto step = [&](const std::vector<Number>& x) -> std::vector<Number> {
    BasicPoint<Number> point = start;
    const auto middle = x.begin() + static_cast<std::ptrdiff_t>(n);
    const std::size_t m = carries ? point.lambda.size() : 0;
    const auto last = x.end() - static_cast<std::ptrdiff_t>(m);
    point.q.assign(x.begin(), middle);
    point.v = before.velocity(point, {middle, last});
    if (carries) point.lambda.assign(last, x.end());
    map.start_carried(point);
    if (!map.apply(point, h)) return {};
    std::vector<Number> result = point.q;
    const std::vector<Number> y = after.velocity_coordinates(point);
    result.insert(result.end(), y.begin(), y.end());
    if (carries) result.insert(result.end(), point.lambda.begin(), point.lambda.end());
    return result;
  };
  std::vector<Number> x = start.q;
  const std::vector<Number> y = before.velocity_coordinates(start);
  x.insert(x.end(), y.begin(), y.end());
  if (carries) x.insert(x.end(), start.lambda.begin(), start.lambda.end());
  const NumberMatrix<Number> jacobian = difference_jacobian<Number>(step, x);
  if (jacobian.empty()) return std::numeric_limits<double>::quiet_NaN();
  const Number factor =
      determinant(jacobian) * after.density(end, carries) / before.density(start, carries);
  return static_cast<double>((factor < Number(0.0) ? Number(-factor) : factor) - Number(1.0));
}

/// True if the exact flow keeps the volume near the start, as seen from one step of Gauss
/// collocation of order 12, which differs from the flow by about 1e-15 where the volume changes by
/// the order of the step. For systems as in `volume_change_minus_one` on R^n; false for others.
template <class Number>
bool flow_keeps_volume(const System& system, std::span<const double> parameters,
                       std::span<const double> q, std::span<const double> v, double time = 1.0) {
  const bool has_chart = system.traits().lagrangian < LagrangianKind::general &&
                         system.traits().constraints != ConstraintKind::nonlinear &&
                         !system.traits().holonomic && !system.traits().has_groups;
  if (!has_chart) return false;
  StepMap<Number> flow(system, Method(Gauss{.stages = 6}), parameters);
  const double change =
      volume_change_minus_one(flow, flow.start(q, v), Number(time) / Number(16.0));
  return std::fabs(change) < 1e-11;
}

}  // namespace dalembert
