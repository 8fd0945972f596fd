#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "dalembert/mechanics/group/displacement.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {

/// Equations of a nearest admissible point: residual in the unknowns (x, mu) and its Jacobian, as
/// expressions in the unknowns and the symbols of the system. Empty without such constraints.
struct NearestPointEquations {
  Vector unknowns, residual, jacobian;  ///< [k], [k] and row by row [k * k]
};
/// The position x nearest to q in the metric M(q, v): M (x - q) = Dphi(x)^T mu, phi(x, t) = 0. On
/// groups x is the displacement to it, with Cayley's map, and stands in place of x - q.
NearestPointEquations nearest_position(const System& system, const Symbols& symbols);
/// The velocity w nearest to v in the metric M(q, v): M (w - v) = (dPhi/dv)(q, w)^T mu,
/// Phi(q, w, t) = 0, with the rates of constraints on positions among them.
NearestPointEquations nearest_velocity(const System& system, const Symbols& symbols);
/// The velocity w with dL/dv(q, w, t) = p; p stands in place of v.
NearestPointEquations velocity_of_momentum(const System& system, const Symbols& symbols);

/// Finds positions and velocities that satisfy all constraints, nearest to given ones in the metric
/// of the mass, and the exact multiplier there, in any number type, for given parameters. First q
/// is moved onto the constraints on positions, by Newton's iteration to round-off; then v: by a
/// projection where the constraints are linear or affine in v, else by Newton's iteration too. One
/// per thread. For a start as people ask for it see `prepare_start`.
template <class Number>
class ConsistentStart {
  // Equations for the nearest point: residual and Jacobian.
  struct Equations {
    Equations() = default;
    Equations(const System& system, const Symbols& s, const NearestPointEquations& nearest)
        : function(system, s, concatenate({nearest.residual, nearest.jacobian}), {},
                   nearest.unknowns),
          count(nearest.unknowns.size()) {}

    StateFunction<Number> function;
    std::size_t count = 0;  // unknowns
  };

 public:
  /// Shapes: q [storage_count], v [dof], empty in skew-gradient form.
  struct Result {
    std::vector<Number> q, v;               ///< the state that was found
    bool found_q = false, found_v = false;  ///< true if its equations were solved
    double residual = 0.0;                  ///< of the equations that could not be solved
    bool found() const { return found_q && found_v; }  ///< true if both were
  };

  /// Functions of a system with which starts are found. They hold no system, so that one can keep
  /// them for all its starts.
  class Functions {
   public:
    explicit Functions(const System& system) {
      if (system.is_skew_gradient()) return;
      const Symbols s = system.symbols();
      if (system.traits().holonomic) position_ = {system, s, nearest_position(system, s)};
      if (system.traits().constraints == ConstraintKind::nonlinear) {
        velocity_ = {system, s, nearest_velocity(system, s)};
      } else if (system.constraint_count() > 0) {
        projection_ = {system, s, system.projected_velocity(s.q, s.v, s.t)};
      }
    }

   private:
    friend class ConsistentStart;
    Equations position_, velocity_;
    StateFunction<Number> projection_;
  };

  /// Parameters in the order of the description; the defaults if empty. RequestError if their
  /// number is wrong.
  explicit ConsistentStart(const System& system, std::span<const double> parameters = {})
      : ConsistentStart(system, Functions(system), parameters) {}
  /// With functions that were made for the same system.
  ConsistentStart(const System& system, Functions functions, std::span<const double> parameters)
      : system_(system),
        dof_(system.dof()),
        flat_(!system.traits().has_groups),
        move_(system.configuration()),
        functions_(std::move(functions)) {
    set_parameters(parameter_values(system, parameters));
  }

  /// The parameters of the following calls; RequestError if their number is wrong.
  void set_parameters(std::span<const double> parameters) {
    parameters_ = parameter_values(system_, parameters);
    for (Equations* equations : {&functions_.position_, &functions_.velocity_, &momentum_})
      if (equations->count > 0) equations->function.set_parameters(parameters_);
    for (StateFunction<Number>* function : {&functions_.projection_, &multiplier_})
      if (function->output_count() > 0) function->set_parameters(parameters_);
  }

  /// The admissible state nearest to (q, v) at time t.
  Result operator()(const Number& t, std::vector<Number> q, std::vector<Number> v) {
    Result result{std::move(q), std::move(v)};
    result.found_q = solve_position(t, result);
    result.found_v = result.found_q && solve(functions_.velocity_, t, result, result.v) &&
                     project(t, result.q, result.v);
    return result;
  }

  /// The velocity with momentum p at q, in `v` of the result, whatever the constraints.
  Result with_momentum(const Number& t, std::vector<Number> q, std::vector<Number> p) {
    if (momentum_.count == 0 && !system_.is_skew_gradient()) {
      const Symbols s = system_.symbols();
      momentum_ = {system_, s, velocity_of_momentum(system_, s)};
      momentum_.function.set_parameters(parameters_);
    }
    Result result{std::move(q), std::move(p), true};
    std::vector<Number> velocity(result.v.size(), Number(0.0));
    result.found_v = solve(momentum_, t, result, velocity);
    result.v = std::move(velocity);
    return result;
  }

  /// The multiplier of the motion through (q, v), [constraint_count].
  std::vector<Number> multiplier(const Number& t, const std::vector<Number>& q,
                                 const std::vector<Number>& v) {
    if (system_.constraint_count() == 0) return {};
    if (multiplier_.output_count() == 0) {
      const Symbols s = system_.symbols();
      multiplier_ = {system_, s, system_.eliminated(s.q, s.v, s.t).lambda, parameters_};
    }
    const std::span<const Number> values = multiplier_(t, q, v);
    return {values.begin(), values.end()};
  }

 private:
  static Number largest(std::span<const Number> values) {
    return numeric::largest_size<Number>(values);
  }

  bool solve_position(const Number& t, Result& result) {
    std::vector<Number> displacement(dof_, Number(0.0));
    if constexpr (!std::is_same_v<Number, double>) {
      // What is given in double is on the groups to the round-off of double alone.
      if (!flat_) result.q = move_(result.q, displacement);
    }
    if (flat_ || functions_.position_.count == 0)
      return solve(functions_.position_, t, result, result.q);
    if (!solve(functions_.position_, t, result, displacement)) return false;
    result.q = move_(result.q, displacement);
    return true;
  }

  /// Twice, so that what round-off of a large v leaves goes too.
  bool project(const Number& t, const std::vector<Number>& q, std::vector<Number>& v) {
    if (functions_.projection_.output_count() == 0) return true;
    for (int sweep = 0; sweep < 2; ++sweep)
      std::ranges::copy(functions_.projection_(t, q, v), v.begin());
    return largest(v) < Number(std::numeric_limits<double>::infinity());
  }

  /// Newton's iteration from `target`, which receives the solution. It ends when a correction is
  /// round-off of the unknowns, or no longer smaller than the one before and near that.
  bool solve(Equations& equations, const Number& t, Result& state, std::vector<Number>& target) {
    if (equations.count == 0) return true;
    std::vector<Number> unknowns = target;
    unknowns.resize(equations.count, Number(0.0));
    const Number round_off = Number(std::numeric_limits<Number>::epsilon());
    Number before = Number(std::numeric_limits<double>::infinity());
    for (int iteration = 0; iteration < 60; ++iteration) {
      const std::span<const Number> values = equations.function(t, state.q, state.v, unknowns);
      state.residual = static_cast<double>(largest(values.first(equations.count)));
      const std::vector<Number> step = newton_step(equations.count, values);
      const Number size = largest(std::span(step).first(dof_));
      if (!(size < Number(std::numeric_limits<double>::infinity()))) return false;
      for (std::size_t i = 0; i < equations.count; ++i) unknowns[i] = unknowns[i] - step[i];
      const Number scale = numeric::larger(Number(1.0), largest(std::span(unknowns).first(dof_)));
      if (size <= round_off * scale ||
          (!(size < before) && size <= Number(128.0) * round_off * scale)) {
        std::copy_n(unknowns.begin(), dof_, target.begin());
        return true;
      }
      before = size;
    }
    return false;
  }

  static std::vector<Number> newton_step(std::size_t n, std::span<const Number> values) {
    std::vector<Number> matrix(values.begin() + static_cast<std::ptrdiff_t>(n), values.end());
    std::vector<Number> right(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<Number> pivot(n, Number(0.0));
    const int size = static_cast<int>(n);
    static_cast<void>(numeric::lu_factor(size, matrix.data(), pivot.data()));
    numeric::lu_solve(size, matrix.data(), pivot.data(), right.data());
    return right;
  }

  System system_;
  std::vector<double> parameters_;
  std::size_t dof_;
  bool flat_;
  Displacement<Number> move_;
  Functions functions_;
  // Made when first asked for: few starts need them.
  Equations momentum_;
  StateFunction<Number> multiplier_;
};

/// Doubles are the library's: what a user compiles does not replace it.
extern template class ConsistentStart<double>;

}  // namespace dalembert
