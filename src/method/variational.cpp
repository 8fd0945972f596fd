#include "dalembert/method/variational.hpp"

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/method/lobatto.hpp"
#include "method/stage/retraction_words.hpp"
#include "method/stage/stages.hpp"
#include "method/stage/step_chart.hpp"

namespace dalembert {
namespace {

struct PartitionedTableau {
  std::vector<Constant> b, c;
  LobattoTableaux::Coefficients a, a_hat;
};

PartitionedTableau tableau_of(VariationalRungeKutta::Nodes nodes, int stages) {
  if (nodes == VariationalRungeKutta::Nodes::lobatto) {
    LobattoTableaux lobatto = lobatto_tableaux(stages);
    return {lobatto.b, lobatto.c, lobatto.a, lobatto.a_hat};
  }
  const QuadratureRule rule = gauss_rule(stages);
  PartitionedTableau result{rule.weights, rule.nodes, collocation_coefficients(rule.nodes), {}};
  result.a_hat = conjugate_tableau(result.a, result.b);
  return result;
}

}  // namespace

MethodPage<VariationalRungeKutta> VariationalRungeKutta::page() {
  return {
      .name = "variational-runge-kutta",
      .title = "variational partitioned Runge-Kutta method",
      .use = {"all constraints are on positions, or there are none: it is symplectic, of order "
              "2 s - 2",
              "velocities are constrained: it is refused"},
      .description =
          "Symplectic; for systems without constraints or with holonomic ones. Lobatto pairs (two "
          "stages: Stormer-Verlet, and RATTLE with constraints) or Gauss nodes.",
      .source = "MarsdenWest2001, Sect. 2.6; Jay1996",
      .formula = {"a, b, c: Lobatto IIIA or Gauss; ahat_ij = b_j - b_j a_ji/b_i; F_j = dL/dq(Q_j, "
                  "V_j) + force + Dphi(Q_j)^T mu_j",
                  "Q_i = q0 + h*sum_j a_ij V_j",
                  "0 = dL/dv(Q_i, V_i) - p0 - h*sum_j ahat_ij F_j, i = 1..s",
                  "0 = phi(Q_i), i = 2..s", "q1 = q0 + h*sum_j b_j V_j",
                  "0 = dL/dv(q1, v1) - p0 - h*sum_j b_j F_j, 0 = d/dt phi at (q1, v1)"},
      .facts = &VariationalRungeKutta::facts,
      .requirements =
          Requirements{.lagrangian = LagrangianKind::general,
                       .constraints = ConstraintKind::nonlinear,
                       .handles_time = true,
                       .handles_force = true,
                       .handles_holonomic = true,
                       .handles_nonholonomic = false,
                       .handles_groups = true,
                       .reason =
                           "the principle behind it is Hamilton's, which has no room for them; "
                           "take lobatto or spark"},
      .equations = &VariationalRungeKutta::equations,
      .options = {{"stages", &VariationalRungeKutta::stages, "number of stages s", 1, 8},
                  {"nodes", &VariationalRungeKutta::nodes,
                   "Lobatto pairs, of order 2 s - 2, or Gauss, of order 2 s",
                   Words<Nodes>{{Nodes::lobatto, "lobatto"}, {Nodes::gauss, "gauss"}}},
                  {"retraction", &VariationalRungeKutta::retraction,
                   "by which a step moves on groups", retraction_words()}},
      .conflict = &VariationalRungeKutta::conflict,
      .misfit = &VariationalRungeKutta::misfit};
}

std::optional<std::string> VariationalRungeKutta::conflict() const {
  if (nodes != Nodes::lobatto || stages >= 2) return std::nullopt;
  return "needs two stages or more with Lobatto nodes, which hold both ends of the step; one stage "
         "goes with nodes = \"gauss\"";
}

Facts VariationalRungeKutta::facts() const {
  const bool lobatto = nodes == Nodes::lobatto;
  return {.order = lobatto ? 2 * stages - 2 : 2 * stages,
          .multiplier_order = lobatto ? stages - 1 : 2 * stages,
          .symmetric = true,
          .reversible = true,
          .maps_constraint_set = true,
          .keeps_fibration = true,
          .symplectic = LagrangianKind::general};
}

std::optional<std::string> VariationalRungeKutta::misfit(const System& system) const {
  if (nodes == Nodes::lobatto || !system.traits().holonomic) return std::nullopt;
  return "method \"variational-runge-kutta\" cannot be used with Gauss nodes on system \"" +
         system.name() +
         "\": its constraints on positions are to hold at the ends of the step, which are no Gauss "
         "nodes; use nodes = \"lobatto\"";
}

Equations VariationalRungeKutta::equations(const System& s, const State& a, Unknowns& u,
                                           const Expr& h) const {
  const PartitionedTableau tableau = tableau_of(nodes, stages);
  const Stages stage(s, a, h);
  const auto count = static_cast<std::size_t>(stages);
  std::vector<Vector> velocity, place, force, chart_force, mu;
  for (std::size_t i = 0; i < count; ++i) {
    velocity.push_back(u.vector("V_" + std::to_string(i + 1), a.v));
    mu.push_back(stage.holonomic_multiplier("h*mu_" + std::to_string(i + 1), u));
  }
  StepChart chart(s, a, stage, tableau.b, velocity, retraction, ChartBase::middle);
  for (std::size_t i = 0; i < count; ++i) {
    place.push_back(stage.sum(tableau.a[i], velocity));
    const Vector position = chart.point(place[i]), v = chart.velocity(place[i], velocity[i]);
    const Expr t = stage.time(tableau.c[i]);
    const Vector reaction = stage.reaction(position, v, t, mu[i]);
    const Vector total = stage.active_force(position, v, t) + reaction;
    force.push_back(chart.at_base(place[i], total));
    chart_force.push_back(chart.force(place[i], velocity[i], total, t));
  }
  chart.close(tableau.b, force, chart_force);
  Vector zero;
  for (std::size_t i = 0; i < count; ++i) {
    const Expr t = stage.time(tableau.c[i]);
    const Vector impulse = stage.sum(tableau.a_hat[i], chart_force);
    zero = concatenate({zero, chart.momentum_change(place[i], velocity[i], t) - impulse});
    if (i > 0) zero = concatenate({zero, stage.holonomic(chart.point(place[i]), t)});
  }
  const Vector total = stage.sum(tableau.b, velocity), q = chart.point(total);
  const Vector impulse = chart.change_by(stage.sum(tableau.b, force), total);
  const Vector v = stage.velocity_of(q, a.t + h, impulse, "v", u, zero);
  return {.zero = zero, .constraint = s.constraint(q, v, a.t + h), .after = {q, v, mu.back()}};
}

MethodPage<Shake> Shake::page() {
  return {
      .name = "shake",
      .title = "SHAKE, the position form of RATTLE",
      .use = {"all constraints are on positions and steps must be cheap, as in molecular "
              "dynamics",
              "velocities are constrained: it is refused"},
      .description =
          "The velocity that it carries is corrected only by the next step; its positions are "
          "those of RATTLE.",
      .source = "RyckaertCiccottiBerendsen1977",
      .formula = {"u: the velocity that the constraint forces have not corrected, carried; u = v0 "
                  "at the start",
                  "vh = u0 + h/2*M^-1 (-dV(q0)) + h*M^-1 Dphi(q0)^T lambda, q1 = q0 + h*vh, 0 = "
                  "phi(q1)",
                  "u1 = vh - h/2*M^-1 dV(q1)",
                  "v1: u1 projected onto Dphi(q1) v = 0 in the metric of M"},
      .facts = Facts{.order = 2,
                     .multiplier_order = 1,
                     .symmetric = true,
                     .reversible = true,
                     .maps_constraint_set = true,
                     .keeps_fibration = true,
                     .symplectic = LagrangianKind::constant_mass},
      .requirements =
          Requirements{.lagrangian = LagrangianKind::constant_mass,
                       .constraints = ConstraintKind::affine,
                       .handles_time = true,
                       .handles_holonomic = true,
                       .handles_nonholonomic = false,
                       .reason =
                           "it finds its multipliers from constraints on positions alone, and "
                           "only from positions"},
      .equations = &Shake::equations,
      .carries = &Shake::velocity_names,
      .start = &Shake::velocity_start};
}

std::vector<std::string> Shake::velocity_names(const System& system) const {
  std::vector<std::string> names;
  for (const Coordinate& coordinate : system.description().coordinates)
    names.push_back(coordinate.name + "_dot_uncorrected");
  return names;
}

Vector Shake::velocity_start(const System& /*system*/, const State& start) const { return start.v; }

Equations Shake::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Expr t = a.t + h;
  const Vector impulse = u.multiplier("h*lambda", h * a.lambda);
  const Vector slope = s.potential_gradient(a.q, a.t), pull = 0.5 * h * slope;
  const Vector kick = s.constraint_force(a.q, a.v, a.t, impulse) - pull;
  const Vector half = a.carried + solve_linear(s.mass(a.q), kick), q = a.q + h * half;
  const Vector last_slope = s.potential_gradient(q, t), last_pull = 0.5 * h * last_slope;
  const Vector uncorrected = half - solve_linear(s.mass(q), last_pull);
  const Vector v = u.vector("v", uncorrected), correction = u.multiplier("correction", a.lambda);
  const Vector distance = s.holonomic(q, t), path = Expr(1.0) / h * distance;
  const Vector reaction = h * s.constraint_force(q, v, t, correction), change = v - uncorrected;
  return {.zero = concatenate({path, s.mass(q) * change - reaction}),
          .constraint = s.constraint(q, v, t),
          .after = {q, v, Expr(1.0) / h * impulse, uncorrected}};
}

}  // namespace dalembert
