#include "dalembert/method/discrete_lagrangian.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/driver_blocks.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "method/node/node_momentum.hpp"
#include "method/stage/retraction_words.hpp"

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

/// 1 - alpha with all its digits: the parts of a step add up to the step in every number type.
Constant rest_of(double alpha) { return Constant{1.0} - Constant{alpha}; }

Requirements any_affine_system() {
  return {.lagrangian = LagrangianKind::general,
          .constraints = ConstraintKind::affine,
          .handles_time = true,
          .handles_force = true,
          .handles_groups = true,
          .handles_reactions = true};
}

/// The velocity at which reactions with directions of their own are taken: between those at both
/// ends. Those of ideal constraints, which are affine there, do not depend on it.
Vector velocity_of_reaction(const System& s, const Vector& before, const Vector& after,
                            double alpha) {
  if (s.traits().ideal) return after;
  const Vector newer = Expr(alpha) * after;
  return Expr(rest_of(alpha)) * before + newer;
}

}  // namespace

MethodPage<Dla> Dla::page() {
  return {
      .name = "dla",
      .aliases = {{"i-dla", "Celledoni2019", {{"alpha", 0.5}}}},
      .title = "discrete Lagrange-d'Alembert method with weight alpha",
      .use = {"thousands of runs, or a first look, need cheap steps of order 2 that keep the "
              "constraints",
              "a motion that is driven or rotates runs for a million steps: its energy can "
              "drift there; or many digits are wanted"},
      .description =
          "The discrete Lagrange-d'Alembert principle with the constraint force at an "
          "intermediate point. Explicit up to the multipliers for alpha = 0.",
      .source = "ModinVerdier2020, Eq. (27); CortesMartinez2001",
      .facts = &Dla::facts,
      .requirements = any_affine_system(),
      .equations = &Dla::equations,
      .volume = &Dla::volume,
      .options = {
          {"alpha", &Dla::alpha, "weight of the implicit half, 0 explicit to 1 implicit", 0.0, 1.0},
          {"retraction", &Dla::retraction, "by which a step moves on groups", retraction_words()}}};
}

Facts Dla::facts() const {
  const bool midpoint = alpha == 0.5;
  Facts facts{.order = midpoint ? 2 : 1,
              .multiplier_order = 1,
              .symmetric = midpoint,
              .reversible = midpoint,
              .maps_constraint_set = true,
              .keeps_fibration = true,
              .passenger_volume = PassengerVolume::lost};
  // The symplectic Euler methods; between them a change of variables away from symplectic.
  if (alpha == 0.0 || alpha == 1.0) facts.symplectic = LagrangianKind::constant_mass;
  return facts;
}

std::optional<VolumeFormula> Dla::volume(const System& s, const State& before, const State& after,
                                         const Expr& h) const {
  const Expr rest(rest_of(alpha));
  const Matrix kick = s.constraint_matrix(before.q + rest * h * before.v);
  const Matrix start = s.constraint_matrix(before.q), end = s.constraint_matrix(after.q);
  if (alpha == 0.0 || alpha == 1.0) return VolumeFormula{{{kick, start, 1}, {kick, end, -1}}};
  // The force is taken at both ends: M + alpha (1 - alpha) h^2 K, K that of the passengers.
  if (DriverBlocks::misfit(s)) return std::nullopt;
  const Symbols symbols = s.symbols(before.q);
  const Matrix stiffness = jacobian(s.potential_gradient(symbols.q), symbols.q);
  Matrix stiffened = s.mass(before.q);
  const std::vector<std::size_t> passengers = DriverBlocks::of(s).passengers;
  for (const std::size_t i : passengers) {
    for (const std::size_t j : passengers) {
      const Expr entry = substitute(stiffness(i, j), symbols.q, before.q);
      stiffened(i, j) += Expr(alpha) * rest * h * h * entry;
    }
  }
  return VolumeFormula{{{kick, start, 1, stiffened}, {kick, end, -1, stiffened}},
                       VolumeFormula::Potential::quadratic};
}

Equations Dla::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  if (s.traits().has_groups) return on_groups(s, a, u, h);
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Expr rest(rest_of(alpha));
  const Vector qc = a.q + rest * h * a.v, q = qc + alpha * h * v;
  const Expr t = a.t + h, tc = a.t + rest * h;
  const Vector last = rest * active_force(s, q, v, t);
  const Vector active = alpha * active_force(s, a.q, a.v, a.t) + last;
  const Vector vc = velocity_of_reaction(s, a.v, v, alpha);
  const Vector reaction = s.constraint_force(qc, vc, tc, lambda);
  const Vector impulse = h * (active + reaction);
  return {.zero = momentum_change(s, a, q, v, t) - impulse,
          .constraint = s.constraint(q, v, t),
          .after = {q, v, lambda}};
}

namespace {

/// The mean of the multipliers of all parts of a composition.
Vector mean_multiplier(const Unknowns& unknowns) {
  std::vector<Vector> multipliers;
  for (const Unknowns::Group& group : unknowns.groups()) {
    if (group.is_multiplier) multipliers.push_back(group.value);
  }
  return 0.5 * (multipliers[multipliers.size() - 2] + multipliers.back());
}

}  // namespace

Equations Dla::on_groups(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Configuration& space = s.configuration();
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Expr rest(rest_of(alpha));
  const Vector first = h * (rest * a.v), last = h * (Expr(alpha) * v);
  const Vector qc = space.move(retraction, a.q, first), q = space.move(retraction, qc, last);
  const Expr t = a.t + h, tc = a.t + rest * h;
  const Vector p0 = s.momentum(a.q, a.v, a.t), f0 = active_force(s, a.q, a.v, a.t);
  const NodeMomentum old(space, retraction, alpha, a.v, p0, f0, h, u, "m");
  const Vector p1 = s.momentum(q, v, t), f1 = active_force(s, q, v, t);
  const NodeMomentum next(space, retraction, alpha, v, p1, f1, h, u, "m_1");
  const Vector vc = velocity_of_reaction(s, a.v, v, alpha);
  const Vector reaction = h * s.constraint_force(qc, vc, tc, lambda), leaves = old.leaving();
  const Vector balance = next.arriving() - leaves;
  return {.zero = concatenate({old.zero(), next.zero(), balance - reaction}),
          .constraint = s.constraint(q, v, t),
          .after = {q, v, lambda}};
}

MethodPage<Dla01> Dla01::page() {
  return {.name = "dla01",
          .aliases = {{"si-dla", "Celledoni2019"}},
          .title = "symmetric composition of the two one-sided DLA methods",
          .use = {"a symmetric step of order 2 is wanted that carries no multiplier and, without "
                  "constraints, is Verlet's",
                  "a motion that is driven or rotates runs for a million steps: its energy can "
                  "drift there"},
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
                         .passenger_volume = PassengerVolume::lost,
                         .symplectic = LagrangianKind::constant_mass},
          .requirements = any_affine_system(),
          .equations = &Dla01::equations,
          .volume = &Dla01::volume};
}

std::optional<VolumeFormula> Dla01::volume(const System& s, const State& before, const State& after,
                                           const Expr& h) const {
  const Matrix kick = s.constraint_matrix(before.q + 0.5 * h * before.v);
  return VolumeFormula{
      {{s.constraint_matrix(before.q), kick, 1}, {kick, s.constraint_matrix(after.q), -1}}};
}

Equations Dla01::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  if (s.traits().lagrangian != LagrangianKind::constant_mass || s.traits().forced ||
      s.traits().has_groups) {
    // With a mass that varies, or forces that may contain the velocity between them, the two halves
    // do not merge. The reported multiplier is the mean over the step.
    Equations all = compose_steps(
        {{Method(Dla{.alpha = 0.0}), Constant{0.5}}, {Method(Dla{.alpha = 1.0}), Constant{0.5}}}, s,
        a, u, h);
    if (s.constraint_count() > 0) all.after.lambda = mean_multiplier(u);
    return all;
  }
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector qc = a.q + 0.5 * h * a.v, q = qc + 0.5 * h * v;
  const Expr tc = a.t + 0.5 * h, t = a.t + h;
  const Vector vc = velocity_of_reaction(s, a.v, v, 0.5);
  const Vector reaction = s.constraint_force(qc, vc, tc, lambda);
  const Vector impulse = h * (s.potential_gradient(qc, tc) - reaction);
  return {.zero = momentum_change(s, a, q, v, t) + impulse,
          .constraint = s.constraint(q, v, t),
          .after = {q, v, lambda}};
}

MethodPage<Leapfrog> Leapfrog::page() {
  return {
      .name = "leapfrog",
      .aliases = {{"rattle", "Andersen1983"}},
      .title = "nonholonomic leap-frog",
      .use = {"masses are constant and the motion keeps oscillating or rotating for very long: "
              "its energy error stays bounded on driven transmissions, where those of many "
              "published methods drift",
              "the motion settles, is damped or coasts straight: errors of the multiplier that "
              "it carries grow there"},
      .description =
          "Half a kick with the old multiplier, a drift, half a kick with the new one. For a "
          "quadratic potential and constant mass it has an exact discrete energy. With "
          "holonomic constraints it is RATTLE. With first = drift: half a drift, a kick that "
          "reflects the velocity at the constraints there, half a drift. It is the same sequence, "
          "seen half a step later: nothing is carried, but the velocity satisfies the constraints "
          "only nearly, and the multiplier has order 1.",
      .source =
          "ModinVerdier2020, Eq. (30) and App. A.2, corrected; McLachlanPerlmutter2006; "
          "FerraroIglesiasMartin2008; Andersen1983",
      .facts = &Leapfrog::facts,
      .requirements = &Leapfrog::requirements,
      .equations = &Leapfrog::equations,
      .volume = &Leapfrog::volume,
      .options = {{"first", &Leapfrog::first, "the half of a step that comes first",
                   Words<First>{{First::kick, "kick"}, {First::drift, "drift"}}}}};
}

Facts Leapfrog::facts() const {
  const bool kick = first == First::kick;
  Facts facts{.order = 2,
              .multiplier_order = kick ? 2 : 1,
              .symmetric = true,
              .reversible = true,
              .maps_constraint_set = kick,
              .carries_multiplier = kick,
              .multiplier_growth = 1,
              .keeps_fibration = true,
              .symplectic = LagrangianKind::constant_mass};
  if (kick) {
    facts.passenger_volume = PassengerVolume::every_step;
    facts.holonomic_multiplier_order = 1;
  } else {
    // The new velocity leaves the constraint at second order; every second step leads it back.
    facts.local_order = 2;
  }
  return facts;
}

std::optional<VolumeFormula> Leapfrog::volume(const System& /*s*/, const State& /*before*/,
                                              const State& /*after*/, const Expr& /*h*/) const {
  // With the velocity between the nodes a step is a reflection and shears.
  return first == First::kick ? std::optional(VolumeFormula{}) : std::nullopt;
}

Requirements Leapfrog::requirements() const {
  Requirements needs{.lagrangian = LagrangianKind::constant_mass,
                     .constraints = ConstraintKind::affine,
                     .handles_time = true,
                     .handles_force = true,
                     .handles_holonomic = first == First::kick,
                     .on_groups = "lobatto with stages = 2 is the leap-frog there"};
  if (first == First::drift) {
    needs.reason =
        "a step is two straight drifts with one kick between them; constraints on positions are "
        "for first = kick";
  }
  return needs;
}

Equations Leapfrog::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  if (first == First::drift) return drift_first(s, a, u, h);
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

Equations Leapfrog::drift_first(const System& s, const State& a, Unknowns& u, const Expr& h) {
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector middle = a.q + 0.5 * h * a.v, q = middle + 0.5 * h * v;
  const Vector change = v - a.v, mean = a.v + 0.5 * change;
  const Expr tm = a.t + 0.5 * h;
  const Vector slope = s.potential_gradient(middle, tm), external = s.force(middle, mean, tm);
  const Vector reaction = s.constraint_force(middle, mean, tm, lambda);
  const Vector active = external - slope;
  const Vector impulse = h * (active + reaction);
  const Vector reflection = s.constraint(middle, mean, tm);
  return {.zero = concatenate({s.mass(middle) * change - impulse, reflection}),
          .constraint = {},
          .after = {q, v, lambda}};
}

}  // namespace dalembert
