#include "dalembert/method/newmark.hpp"

#include <cmath>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/printer.hpp"
#include "method/node/node_acceleration.hpp"
#include "method/splitting/normal_frames.hpp"
#include "method/stage/retraction_words.hpp"

namespace dalembert {

namespace {

/// The options that make the method one of the family around exact discrete mechanics.
std::map<std::string, OptionValue> exact_discrete_family(const std::string& constraint) {
  return {{"beta", 0.0}, {"beta_prime", 0.0}, {"alpha", 0.5}, {"constraint", constraint}};
}

}  // namespace

MethodPage<Newmark> Newmark::page() {
  return {
      .name = "newmark",
      // Without forces, for the trapezoidal discrete Lagrangian.
      .aliases = {{"exact-discrete-family", "AnahorySimoesMarreroMartin2022",
                   exact_discrete_family("point"), LagrangianKind::constant_mass},
                  {"exact-discrete-average", "AnahorySimoesMarreroMartin2022",
                   exact_discrete_family("average"), LagrangianKind::constant_mass}},
      .title = "nonholonomic Newmark family",
      .use = {"the nonholonomic Newmark family is studied: its weights are options, and "
              "constraint = bisector keeps a volume",
              "a motion that is driven or rotates runs for a million steps: its energy can "
              "drift there"},
      .description =
          "Two expansions of the position with weights beta and beta', a discrete constraint "
          "between the nodes and the exact one at the new node. Order 2 for beta = beta' and "
          "alpha = 1/2.",
      .source = "AnahorySimoes2022, Def. 3.1",
      .facts = &Newmark::facts,
      .requirements = Requirements{.lagrangian = LagrangianKind::general,
                                   .constraints = ConstraintKind::affine,
                                   .handles_time = true,
                                   .handles_force = true,
                                   .handles_groups = true},
      .equations = &Newmark::equations,
      .carries = &Newmark::multiplier_names,
      .start = &Newmark::multiplier_start,
      .volume = &Newmark::volume,
      .options = {{"beta", &Newmark::beta,
                   "weight of the new acceleration in the forward expansion of q", 0.0, 1.0},
                  {"beta_prime", &Newmark::beta_prime,
                   "weight of the old acceleration in the backward expansion", 0.0, 1.0},
                  {"alpha", &Newmark::alpha,
                   "where the discrete constraint lives, from the old node (0) to the new (1)", 0.0,
                   1.0},
                  {"constraint", &Newmark::constraint,
                   "constraint matrix at one point, averaged over the nodes, or bisector: halfway "
                   "between the constraints of both nodes, which keeps a volume",
                   Words<Constraint>{{Constraint::point, "point"},
                                     {Constraint::average, "average"},
                                     {Constraint::bisector, "bisector"}}},
                  {"retraction", &Newmark::retraction, "by which a step moves on groups",
                   retraction_words()},
                  {"base", &Newmark::base,
                   "where the chart of a step on groups is chosen: symmetric in the middle, as "
                   "published at the start",
                   Words<ChartBase>{{ChartBase::middle, "middle"}, {ChartBase::start, "start"}}}},
      .conflict = &Newmark::conflict,
      .warning = &Newmark::warning};
}

Facts Newmark::facts() const {
  const bool symmetric = beta == beta_prime && alpha == 0.5;
  const bool is_verlet = beta == 0.0 && beta_prime == 0.0;
  Facts facts{.order = symmetric ? 2 : 1,
              .multiplier_order = alpha == 0.5 ? 1 : 0,
              .symmetric = symmetric,
              // Half of exp(x) is exp(x/2), from either end; Cayley's map has no such halves.
              .asymmetric_on_groups = base == ChartBase::start && retraction == Retraction::cayley,
              .reversible = symmetric,
              .maps_constraint_set = true,
              .keeps_fibration = true};
  // Stoermer and Verlet's method.
  if (is_verlet) facts.symplectic = LagrangianKind::constant_mass;
  if (is_verlet && constraint == Constraint::bisector)
    facts.passenger_volume = PassengerVolume::every_step;
  // Averaged rows may lie halfway, as those of length one do; it depends on how they are written.
  if (beta == beta_prime && constraint == Constraint::point)
    facts.passenger_volume = PassengerVolume::lost;
  return facts;
}

std::optional<std::string> Newmark::conflict() const {
  if (constraint == Constraint::bisector && alpha != 0.5) {
    return "has alpha = " + to_string(alpha) +
           " with constraint = bisector, which lies halfway between the nodes; leave alpha at 0.5";
  }
  if (beta + beta_prime != 0.5) return std::nullopt;
  return "does not converge for beta + beta_prime = 1/2: there the two multipliers are not "
         "determined separately; choose another sum";
}

std::optional<std::string> Newmark::warning() const {
  const double distance = std::fabs(beta + beta_prime - 0.5);
  if (distance > 0.05) return std::nullopt;
  return "newmark with beta + beta_prime = " + to_string(beta + beta_prime) +
         " is ill-conditioned: about 1/" + to_string(distance) +
         " times round-off is lost near 1/2";
}

std::vector<std::string> Newmark::multiplier_names(const System& system) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < system.constraint_count(); ++i)
    names.push_back("lambda_before_" + std::to_string(i + 1));
  return names;
}

Vector Newmark::multiplier_start(const System& /*system*/, const State& start) const {
  return start.lambda;
}

Equations Newmark::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Expr t = a.t + h;
  const Vector before = u.multiplier("lambda_before", a.lambda),
               lambda = u.multiplier("lambda", a.lambda);
  const Vector g1 = u.vector("acceleration", zeros(s.dof()));
  const NodeAcceleration old = node_acceleration(s, a, before, u, "acceleration_before");
  const Vector& g0 = old.value;
  const auto acceleration = [&](double old_weight, double new_weight) {
    const Vector newer = Expr(new_weight) * g1;
    return Expr(old_weight) * g0 + newer;
  };
  const Vector forward = acceleration(1.0 - 2.0 * beta, 2.0 * beta);
  const Vector mean = a.v + 0.5 * h * forward;  // (q1 - q0)/h
  const Vector whole =
      acceleration(1.0 - 2.0 * beta + 2.0 * beta_prime, 1.0 + 2.0 * beta - 2.0 * beta_prime);
  const Vector v = a.v + 0.5 * h * whole;
  const Vector path = h * mean;
  const Chart chart(s.configuration(), a.q, path, retraction, base);
  const Vector q = chart.point(path);
  const auto discrete_constraint = [&] {
    if (constraint == Constraint::point) {
      const Expr between = a.t + alpha * h;
      return s.constraint(chart.point(alpha * h * mean), mean, between);
    }
    if (constraint == Constraint::bisector) {
      // Where the mass changes, the mean of both, which exchanged nodes do not change.
      const Matrix first_mass = s.mass(a.q, a.v, a.t), mass = 0.5 * (first_mass + s.mass(q, v, t)),
                   rows_here = s.constraint_matrix(a.q, mean, a.t),
                   rows_there = s.constraint_matrix(q, mean, t);
      const Vector here = s.constraint(a.q, mean, a.t), there = s.constraint(q, mean, t);
      return bisecting_conditions(rows_here, here, rows_there, there, mass);
    }
    const Vector there = alpha * s.constraint(q, mean, t);
    return Expr(1.0 - alpha) * s.constraint(a.q, mean, a.t) + there;
  }();
  // The first dof entries of the residual: M g1 = force + A^T lambda at the new node.
  const Vector dynamics = slice(s.motion_residual(q, v, t, g1, lambda), 0, s.dof());
  return {.zero = concatenate({old.balance, dynamics, discrete_constraint}),
          .constraint = s.constraint(q, v, t),
          .after = {q, v, lambda, before}};
}

std::optional<VolumeFormula> Newmark::volume(const System& s, const State& before,
                                             const State& after, const Expr& /*h*/) const {
  if (beta != 0.0 || beta_prime != 0.0) return std::nullopt;
  // The first half kick is projected to the discrete constraint along the old normals, the second
  // one orthogonally to the new constraint; all else are shears.
  if (constraint == Constraint::bisector) return VolumeFormula{};
  const Matrix start = s.constraint_matrix(before.q), end = s.constraint_matrix(after.q);
  const Matrix rest = Expr(1.0 - alpha) * start;
  const Matrix between = constraint == Constraint::average
                             ? rest + Expr(alpha) * end
                             : s.constraint_matrix(before.q + alpha * (after.q - before.q));
  return VolumeFormula{{{between, end, 1}, {start, between, -1}}};
}

MethodPage<LieNewmark> LieNewmark::page() {
  return {.name = "lie-newmark",
          .title = "Newmark method on Lie groups, as published",
          .use = {"the published method on Lie groups is reproduced",
                  "energies must not drift on a group: newmark is symmetric there, for the same "
                  "work"},
          .description =
              "newmark with beta = beta_prime = 0 and the base point of its chart at the "
              "start of the step. Without groups it is newmark.",
          .source = "AnahorySimoes2022, Sect. 6",
          .formula = {"the equations of newmark with beta = beta' = 0",
                      "g1 = g0*tau(h*v), the discrete constraint at g0*tau(alpha*h*v)"},
          .facts = &LieNewmark::facts,
          .requirements = Requirements{.lagrangian = LagrangianKind::general,
                                       .constraints = ConstraintKind::affine,
                                       .handles_time = true,
                                       .handles_force = true,
                                       .handles_groups = true},
          .equations = &LieNewmark::equations,
          .carries = &LieNewmark::multiplier_names,
          .start = &LieNewmark::multiplier_start,
          .volume = &LieNewmark::volume,
          .options = {{"alpha", &LieNewmark::alpha,
                       "where the discrete constraint lives, from the old node (0) to the new (1)",
                       0.0, 1.0},
                      {"retraction", &LieNewmark::retraction, "by which a step moves on groups",
                       retraction_words()}}};
}

namespace {

Newmark from_the_start(const LieNewmark& method) {
  return {.alpha = method.alpha, .retraction = method.retraction, .base = ChartBase::start};
}

}  // namespace

Facts LieNewmark::facts() const { return from_the_start(*this).facts(); }

std::vector<std::string> LieNewmark::multiplier_names(const System& system) const {
  return Newmark{}.multiplier_names(system);
}

Vector LieNewmark::multiplier_start(const System& system, const State& start) const {
  return Newmark{}.multiplier_start(system, start);
}

std::optional<VolumeFormula> LieNewmark::volume(const System& system, const State& before,
                                                const State& after, const Expr& h) const {
  return from_the_start(*this).volume(system, before, after, h);
}

Equations LieNewmark::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return from_the_start(*this).equations(s, a, u, h);
}

}  // namespace dalembert
