#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/expression/tape/number_function.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {

/// The equations of a nearest admissible point: what vanishes in the unknowns (x, mu), with its
/// Jacobian (row by row), in the system's symbols in the graph of `beside`.
struct NearestPointEquations {
  Vector unknowns, residual, jacobian;
};
/// The position x nearest to q in the metric M(q, v): M (x - q) = Dphi(x)^T mu, phi(x, t) = 0.
NearestPointEquations nearest_position(const System& system, const Expr& beside);
/// The velocity w nearest to v in the metric M(q, v): M (w - v) = (dPhi/dv)(q, w)^T mu,
/// Phi(q, w, t) = 0, with the rates of constraints on positions among them.
NearestPointEquations nearest_velocity(const System& system, const Expr& beside);
/// The velocity w with dL/dv(q, w, t) = p; p stands in place of v.
NearestPointEquations velocity_of_momentum(const System& system, const Expr& beside);

/// Finds positions and velocities that satisfy all constraints, nearest to given ones in the metric
/// of the mass, and the exact multiplier there, in any number type. First q is moved onto the
/// constraints on positions, then v. Newton's iteration to round-off; for constraints linear or
/// affine in v the second part is a projection.
template <class Number>
class ConsistentStart {
 public:
  struct Result {
    std::vector<Number> q, v;
    bool found_q = false, found_v = false;
    double residual = 0.0;  ///< of the equations that could not be solved
    bool found() const { return found_q && found_v; }
  };

  explicit ConsistentStart(const System& system)
      : dof_(system.dof()),
        position_(equations(system, nearest_position)),
        velocity_(equations(system, nearest_velocity)),
        momentum_(equations(system, velocity_of_momentum)),
        multiplier_(multipliers(system)) {
    if (system.is_skew_gradient() || !system.traits().holonomic) position_.count = 0;
    if (system.is_skew_gradient() || system.constraint_count() == 0) velocity_.count = 0;
  }

  /// The admissible state nearest to (q, v) at time t for parameters in the order of the
  /// description.
  Result operator()(std::span<const double> parameters, const Number& t, std::vector<Number> q,
                    std::vector<Number> v) {
    Result result{std::move(q), std::move(v)};
    result.found_q = solve(position_, parameters, t, result, result.q);
    result.found_v = result.found_q && solve(velocity_, parameters, t, result, result.v);
    return result;
  }

  /// The velocity with momentum p at q, in `v` of the result, whatever the constraints.
  Result with_momentum(std::span<const double> parameters, const Number& t, std::vector<Number> q,
                       std::vector<Number> p) {
    Result result{std::move(q), std::move(p), true};
    std::vector<Number> velocity(dof_, Number(0.0));
    result.found_v = solve(momentum_, parameters, t, result, velocity);
    result.v = std::move(velocity);
    return result;
  }

  /// The multiplier of the motion through (q, v).
  std::vector<Number> multiplier(std::span<const double> parameters, const Number& t,
                                 const std::vector<Number>& q, const std::vector<Number>& v) {
    return multiplier_(arguments(parameters, t, q, v));
  }

 private:
  struct Problem {
    NumberFunction<Number> function;  ///< residual and Jacobian
    std::size_t count;                ///< unknowns
  };

  static Vector inputs(const Symbols& s) {
    return concatenate({s.parameter_list, Vector{s.t}, s.q, s.v});
  }
  static Problem equations(const System& system,
                           NearestPointEquations (*nearest_to)(const System&, const Expr&)) {
    const Symbols s = system.symbols();
    const NearestPointEquations nearest = nearest_to(system, s.t);
    return {NumberFunction<Number>(concatenate({inputs(s), nearest.unknowns}),
                                   concatenate({nearest.residual, nearest.jacobian})),
            nearest.unknowns.size()};
  }
  static NumberFunction<Number> multipliers(const System& system) {
    const Symbols s = system.symbols();
    return {inputs(s), system.eliminated(s.q, s.v, s.t).lambda};
  }
  static std::vector<Number> arguments(std::span<const double> parameters, const Number& t,
                                       const std::vector<Number>& q, const std::vector<Number>& v) {
    std::vector<Number> values(parameters.begin(), parameters.end());
    values.push_back(t);
    values.insert(values.end(), q.begin(), q.end());
    values.insert(values.end(), v.begin(), v.end());
    return values;
  }
  static Number magnitude(const Number& x) { return x < Number(0.0) ? -x : x; }
  static Number largest(std::span<const Number> values) {
    Number found(0.0);
    for (const Number& value : values) {
      if (!(magnitude(value) <= found)) found = magnitude(value);
    }
    return found;
  }

  /// Newton's iteration from `target`, which receives the solution. It ends when a correction is
  /// round-off of the unknowns, or no longer smaller than the one before and near that.
  bool solve(Problem& problem, std::span<const double> parameters, const Number& t, Result& state,
             std::vector<Number>& target) {
    if (problem.count == 0) return true;
    const std::vector<Number> known = arguments(parameters, t, state.q, state.v);
    std::vector<Number> unknowns = target;
    unknowns.resize(problem.count, Number(0.0));
    const Number round_off = Number(std::numeric_limits<Number>::epsilon());
    Number before = Number(std::numeric_limits<double>::infinity());
    for (int iteration = 0; iteration < 60; ++iteration) {
      std::vector<Number> values = known;
      values.insert(values.end(), unknowns.begin(), unknowns.end());
      values = problem.function(values);
      state.residual = static_cast<double>(largest(std::span(values).first(problem.count)));
      const std::vector<Number> step = newton_step(problem.count, values);
      const Number size = largest(std::span(step).first(dof_));
      if (!(size < Number(std::numeric_limits<double>::infinity()))) return false;
      for (std::size_t i = 0; i < problem.count; ++i) unknowns[i] = unknowns[i] - step[i];
      const Number scale = std::max(Number(1.0), largest(std::span(unknowns).first(dof_)));
      if (size <= round_off * scale ||
          (!(size < before) && size <= Number(128.0) * round_off * scale)) {
        std::copy_n(unknowns.begin(), dof_, target.begin());
        return true;
      }
      before = size;
    }
    return false;
  }

  static std::vector<Number> newton_step(std::size_t n, const std::vector<Number>& values) {
    std::vector<Number> matrix(values.begin() + static_cast<std::ptrdiff_t>(n), values.end());
    std::vector<Number> right(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<Number> pivot(n, Number(0.0));
    const int size = static_cast<int>(n);
    static_cast<void>(numeric::lu_factor(size, matrix.data(), pivot.data()));
    numeric::lu_solve(size, matrix.data(), pivot.data(), right.data());
    return right;
  }

  std::size_t dof_;
  Problem position_, velocity_, momentum_;
  NumberFunction<Number> multiplier_;
};

// In the library alone, so that its evaluators do not depend on a user's options.
extern template class ConsistentStart<double>;

}  // namespace dalembert
