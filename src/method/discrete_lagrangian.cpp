#include "dalembert/method/discrete_lagrangian.hpp"

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/method/composition.hpp"

namespace dalembert {

namespace {

/// p(q, v, t) - p(before); for a constant mass as M (v - before), which loses no digits.
Vector momentum_change(const System& s, const State& before, const Vector& q, const Vector& v,
                       const Expr& t) {
  if (s.traits().lagrangian == LagrangianKind::constant_mass) return s.mass(q) * (v - before.v);
  const Vector start = s.momentum(before.q, before.v, before.t);
  return s.momentum(q, v, t) - start;
}

/// dL/dq and the external force.
Vector active_force(const System& s, const Vector& q, const Vector& v, const Expr& t) {
  const Vector external = s.force(q, v, t);
  return s.lagrangian_gradient(q, v, t) + external;
}

Requirements any_affine_system() {
  return {.lagrangian = LagrangianKind::general,
          .constraints = ConstraintKind::affine,
          .handles_time = true,
          .handles_force = true};
}

}  // namespace

MethodPage<Dla> Dla::page() {
  return {.name = "dla",
          .aliases = {"i-dla"},  // for alpha = 1/2
          .title = "discrete Lagrange-d'Alembert method with weight alpha",
          .description =
              "The discrete Lagrange-d'Alembert principle with the constraint force at an "
              "intermediate point. Explicit up to the multipliers for alpha = 0.",
          .source = "ModinVerdier2020, Eq. (27); CortesMartinez2001",
          .facts = &Dla::facts,
          .requirements = any_affine_system(),
          .equations = &Dla::equations,
          .options = {{"alpha", &Dla::alpha,
                       "weight of the implicit half, 0 explicit to 1 implicit", 0.0, 1.0}}};
}

Facts Dla::facts() const {
  const bool midpoint = alpha == 0.5;
  Facts facts{.order = midpoint ? 2 : 1,
              .multiplier_order = 1,
              .symmetric = midpoint,
              .reversible = midpoint,
              .maps_constraint_set = true,
              .keeps_fibration = true};
  // The symplectic Euler methods; between them a change of variables away from symplectic.
  if (alpha == 0.0 || alpha == 1.0) facts.symplectic = LagrangianKind::constant_mass;
  return facts;
}

Equations Dla::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector qc = a.q + (1.0 - alpha) * h * a.v, q = qc + alpha * h * v;
  const Expr t = a.t + h, tc = a.t + (1.0 - alpha) * h;
  const Vector last = Expr(1.0 - alpha) * active_force(s, q, v, t);
  const Vector active = alpha * active_force(s, a.q, a.v, a.t) + last;
  const Vector reaction = s.constraint_force(qc, v, tc, lambda);
  const Vector impulse = h * (active + reaction);
  return {.zero = momentum_change(s, a, q, v, t) - impulse,
          .constraint = s.constraint(q, v, t),
          .after = {q, v, lambda}};
}

MethodPage<Dla01> Dla01::page() {
  return {.name = "dla01",
          .aliases = {"si-dla"},
          .title = "symmetric composition of the two one-sided DLA methods",
          .description =
              "Half a step of DLA with alpha = 0 followed by half a step with alpha = 1, written "
              "as one step.",
          .source = "ModinVerdier2020, Eq. (29); McLachlanPerlmutter2006; SI-DLA of Celledoni2019",
          .facts = Facts{.order = 2,
                         .multiplier_order = 1,
                         .symmetric = true,
                         .reversible = true,
                         .maps_constraint_set = true,
                         .keeps_fibration = true,
                         .symplectic = LagrangianKind::constant_mass},
          .requirements = any_affine_system(),
          .equations = &Dla01::equations};
}

Equations Dla01::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  if (s.traits().lagrangian != LagrangianKind::constant_mass || s.traits().forced) {
    // With a mass that varies, or forces that may contain the velocity between them, the two halves
    // do not merge. The reported multiplier is the mean over the step.
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
  const Expr tc = a.t + 0.5 * h, t = a.t + h;
  const Vector reaction = s.constraint_force(qc, v, tc, lambda);
  const Vector impulse = h * (s.potential_gradient(qc, tc) - reaction);
  return {.zero = momentum_change(s, a, q, v, t) + impulse,
          .constraint = s.constraint(q, v, t),
          .after = {q, v, lambda}};
}

MethodPage<Leapfrog> Leapfrog::page() {
  return {.name = "leapfrog",
          .aliases = {"rattle"},
          .title = "nonholonomic leap-frog",
          .description =
              "Half a kick with the old multiplier, a drift, half a kick with the new one. For a "
              "quadratic potential and constant mass it has an exact discrete energy. With "
              "holonomic constraints it is RATTLE.",
          .source =
              "ModinVerdier2020, Eq. (30), corrected; McLachlanPerlmutter2006; "
              "FerraroIglesiasMartin2008; Andersen1983",
          .facts = Facts{.order = 2,
                         .multiplier_order = 2,
                         .holonomic_multiplier_order = 1,
                         .symmetric = true,
                         .reversible = true,
                         .maps_constraint_set = true,
                         .carries_multiplier = true,
                         .keeps_fibration = true,
                         .symplectic = LagrangianKind::constant_mass},
          .requirements = Requirements{.lagrangian = LagrangianKind::constant_mass,
                                       .constraints = ConstraintKind::affine,
                                       .handles_time = true,
                                       .handles_force = true,
                                       .handles_holonomic = true},
          .equations = &Leapfrog::equations};
}

Equations Leapfrog::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const std::size_t nonholonomic = s.nonholonomic_count(), holonomic = s.holonomic_count();
  const Expr t = a.t + h;
  // Multipliers of constraints on positions are found anew in each half kick, as impulses.
  const Vector first =
      u.multiplier("first_impulse", 0.5 * h * slice(a.lambda, nonholonomic, holonomic));
  const Vector before = concatenate({slice(a.lambda, 0, nonholonomic), Expr(2.0) / h * first});
  const Vector slope = s.potential_gradient(a.q, a.t);
  const Vector kick = s.constraint_force(a.q, a.v, a.t, before) - slope;
  Vector half, zero;
  if (s.traits().forced) {
    half = u.vector("half", a.v);
    const Vector forced = kick + s.force(a.q, half, a.t);
    const Vector impulse = 0.5 * h * forced, change = half - a.v;
    zero = s.mass(a.q) * change - impulse;
  } else {
    const Vector change = solve_linear(s.mass(a.q), kick);
    half = a.v + 0.5 * h * change;
  }
  const Vector q = a.q + h * half;
  const Vector v = u.vector("v", half), lambda = u.multiplier("lambda", a.lambda);
  const Vector last_slope = s.potential_gradient(q, t), external = s.force(q, half, t);
  const Vector last = s.constraint_force(q, v, t, lambda) + external - last_slope;
  const Vector distance = s.holonomic(q, t), path = Expr(1.0) / h * distance;
  const Vector impulse = 0.5 * h * last, change = v - half;
  return {.zero = concatenate({zero, path, s.mass(q) * change - impulse}),
          .constraint = s.constraint(q, v, t),
          .after = {q, v, lambda}};
}

}  // namespace dalembert
