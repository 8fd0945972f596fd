#pragma once
// Shared by the multi-stage methods: positions, forces and momenta at the stages of a step.

#include <string>
#include <vector>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/method/lobatto.hpp"
#include "weighted_sum.hpp"

namespace dalembert {

/// What multi-stage methods share: sums over stages, forces, and momenta as changes since the start
/// of the step.
class Stages {
 public:
  Stages(const System& system, const State& before, const Expr& h)
      : system_(system), before_(before), h_(h) {}

  /// h sum_j weights_j terms_j.
  Vector sum(const std::vector<Constant>& weights, const std::vector<Vector>& terms) const {
    return weighted_sum(h_, weights, terms);
  }
  Expr time(const Constant& node) const { return before_.t + Expr(node) * h_; }
  /// dL/dq plus the external force.
  Vector active_force(const Vector& q, const Vector& v, const Expr& t) const {
    const Vector external = system_.force(q, v, t);
    return system_.lagrangian_gradient(q, v, t) + external;
  }
  Vector reaction(const Vector& q, const Vector& v, const Expr& t, const Vector& lambda) const {
    return system_.constraint_force(q, v, t, lambda);
  }
  /// The conditions on velocities and positions apart: rows of `constraint`, and phi(q, t)/h.
  Vector nonholonomic(const Vector& q, const Vector& v, const Expr& t) const {
    return slice(system_.constraint(q, v, t), 0, system_.nonholonomic_count());
  }
  Vector holonomic(const Vector& q, const Expr& t) const {
    const Vector distance = system_.holonomic(q, t);
    return Expr(1.0) / h_ * distance;
  }
  /// Multipliers of constraints on positions are unknown as impulses: their round-off is then that
  /// of the velocities.
  Vector holonomic_multiplier(const std::string& name, Unknowns& unknowns) const {
    const Vector start =
        slice(before_.lambda, system_.nonholonomic_count(), system_.holonomic_count());
    const Vector impulse = unknowns.multiplier(name, h_ * start);
    return Expr(1.0) / h_ * impulse;
  }
  /// p(q, v, t) - p(before), without loss of digits where the mass is constant.
  Vector momentum_change(const Vector& q, const Vector& v, const Expr& t) const {
    if (system_.traits().lagrangian == LagrangianKind::constant_mass)
      return system_.mass(q) * (v - before_.v);
    const Vector start = system_.momentum(before_.q, before_.v, before_.t);
    return system_.momentum(q, v, t) - start;
  }
  /// The velocity whose momentum differs by `change` from that at the start: an expression where
  /// the mass is constant and small enough to be solved with, else an unknown with its equation
  /// appended to `zero`.
  Vector velocity_of(const Vector& q, const Expr& t, const Vector& change, const std::string& name,
                     Unknowns& unknowns, Vector& zero) const {
    constexpr std::size_t few_coordinates = 16;
    if (system_.traits().lagrangian == LagrangianKind::constant_mass &&
        system_.dof() <= few_coordinates) {
      return before_.v + solve_linear(system_.mass(q), change);
    }
    const Vector v = unknowns.vector(name, before_.v);
    zero = concatenate({zero, momentum_change(q, v, t) - change});
    return v;
  }

 private:
  const System& system_;
  const State& before_;
  Expr h_;
};

}  // namespace dalembert
