#include "dalembert/method/discrete_lagrangian.hpp"

#include "dalembert/expression/linear_solve.hpp"

namespace dalembert {

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
  return {.lagrangian = LagrangianKind::constant_mass, .constraints = ConstraintKind::linear};
}

Equations Dla::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector qc = a.q + (1.0 - alpha) * h * a.v, q = qc + alpha * h * v;
  const Vector gradient =
      alpha * s.potential_gradient(a.q) + Expr(1.0 - alpha) * s.potential_gradient(q);
  return {.zero = s.mass(qc) * (v - a.v) + h * gradient - h * s.constraint_force(qc, lambda),
          .constraint = s.constraint(q, v),
          .after = {q, v, lambda}};
}

Facts Dla01::facts() const {
  return {.order = 2, .multiplier_order = 1, .symmetric = true, .reversible = true};
}

Requirements Dla01::requirements() const {
  return {.lagrangian = LagrangianKind::constant_mass, .constraints = ConstraintKind::linear};
}

Equations Dla01::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector qc = a.q + 0.5 * h * a.v, q = qc + 0.5 * h * v;
  return {.zero = s.mass(qc) * (v - a.v) + h * s.potential_gradient(qc) -
                  h * s.constraint_force(qc, lambda),
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
