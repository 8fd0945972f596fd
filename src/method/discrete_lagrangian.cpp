#include "dalembert/method/discrete_lagrangian.hpp"

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/method/composition.hpp"

namespace dalembert {

namespace {

/// p(q, v) - p(before); for a constant mass as M (v - before), which loses no digits.
Vector momentum_change(const System& s, const State& before, const Vector& q, const Vector& v) {
  if (s.traits().lagrangian == LagrangianKind::constant_mass) return s.mass(q) * (v - before.v);
  return s.momentum(q, v) - s.momentum(before.q, before.v);
}

}  // namespace

std::vector<Option<Dla>> Dla::options() {
  return {
      {"alpha", &Dla::alpha, "weight of the implicit half, 0 explicit to 1 implicit", 0.0, 1.0}};
}

Facts Dla::facts() const {
  const bool midpoint = alpha == 0.5;
  return {.order = midpoint ? 2 : 1,
          .multiplier_order = 1,
          .symmetric = midpoint,
          .reversible = midpoint};
}

Requirements Dla::requirements() const {
  return {.lagrangian = LagrangianKind::general, .constraints = ConstraintKind::affine};
}

Equations Dla::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector qc = a.q + (1.0 - alpha) * h * a.v, q = qc + alpha * h * v;
  const Vector impulse =
      alpha * s.lagrangian_gradient(a.q, a.v) + Expr(1.0 - alpha) * s.lagrangian_gradient(q, v);
  return {.zero = momentum_change(s, a, q, v) - h * (impulse + s.constraint_force(qc, lambda)),
          .constraint = s.constraint(q, v),
          .after = {q, v, lambda}};
}

Facts Dla01::facts() const {
  return {.order = 2, .multiplier_order = 1, .symmetric = true, .reversible = true};
}

Requirements Dla01::requirements() const {
  return {.lagrangian = LagrangianKind::general, .constraints = ConstraintKind::affine};
}

Equations Dla01::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  if (s.traits().lagrangian != LagrangianKind::constant_mass) {
    // With a mass that varies the two halves do not merge. The reported multiplier is the mean over
    // the step.
    Equations all = compose_steps(
        {{Method(Dla{.alpha = 0.0}), Constant{0.5}}, {Method(Dla{.alpha = 1.0}), Constant{0.5}}}, s,
        a, u, h);
    const auto& groups = u.groups();
    if (s.constraint_count() > 0)
      all.after.lambda = 0.5 * (groups[groups.size() - 3].value + groups.back().value);
    return all;
  }
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector qc = a.q + 0.5 * h * a.v, q = qc + 0.5 * h * v;
  return {.zero = momentum_change(s, a, q, v) +
                  h * (s.potential_gradient(qc) - s.constraint_force(qc, lambda)),
          .constraint = s.constraint(q, v),
          .after = {q, v, lambda}};
}

Facts Leapfrog::facts() const {
  return {.order = 2,
          .multiplier_order = 2,
          .symmetric = true,
          .reversible = true,
          .carries_multiplier = true};
}

Requirements Leapfrog::requirements() const {
  return {.lagrangian = LagrangianKind::constant_mass, .constraints = ConstraintKind::linear};
}

Equations Leapfrog::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Vector kick = s.constraint_force(a.q, a.lambda) - s.potential_gradient(a.q);
  const Vector half = a.v + 0.5 * h * solve_linear(s.mass(a.q), kick);
  const Vector q = a.q + h * half;
  const Vector v = u.vector("v", half), lambda = u.multiplier("lambda", a.lambda);
  return {.zero = s.mass(q) * (v - half) +
                  0.5 * h * (s.potential_gradient(q) - s.constraint_force(q, lambda)),
          .constraint = s.constraint(q, v),
          .after = {q, v, lambda}};
}

}  // namespace dalembert
