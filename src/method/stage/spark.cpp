#include "dalembert/method/stage/spark.hpp"

#include <string>

#include "dalembert/method/stage/lobatto_tableaux.hpp"
#include "method/stage/stages.hpp"

namespace dalembert {
namespace {

/// Tableaux for positions, forces and reactions with the same weights and nodes.
struct SparkTableaux {
  Tableau::Coefficients a, a_hat, tilde;
  std::vector<Constant> b, c;
  bool ends_at_node = true;  ///< whether the last stage is the new node
};

Spark::Constraints family_of(Spark::Second second) {
  switch (second) {
    case Spark::Second::iiic:
      return Spark::Constraints::iiic;
    case Spark::Second::iiic_star:
      return Spark::Constraints::iiic_star;
    case Spark::Second::iiid:
      return Spark::Constraints::iiid;
    case Spark::Second::conjugate:
    case Spark::Second::same:
      break;
  }
  return Spark::Constraints::iiib;
}

const Tableau::Coefficients& tableau_of(const LobattoTableaux& own, Spark::Constraints family) {
  if (family == Spark::Constraints::iiic) return own.c3;
  if (family == Spark::Constraints::iiic_star) return own.c3_star;
  return family == Spark::Constraints::iiid ? own.d : own.a_hat;
}

bool is_self_adjoint(Spark::Constraints family) {
  return family == Spark::Constraints::iiib || family == Spark::Constraints::iiid;
}

/// IIIC and IIIC* are each other's adjoint; the others of Lobatto, IIIA too, are their own, as
/// Gauss' is.
bool is_symmetric(const Spark& method) {
  return method.tableau != Spark::Nodes::radau_iia && is_self_adjoint(family_of(method.second)) &&
         is_self_adjoint(method.constraint_tableau);
}

SparkTableaux tableaux_of(const Spark& method) {
  if (method.tableau == Spark::Nodes::lobatto) {
    const LobattoTableaux own = lobatto_tableaux(method.stages);
    return {
        own.a,
        method.second == Spark::Second::same ? own.a : tableau_of(own, family_of(method.second)),
        tableau_of(own, method.constraint_tableau), own.b, own.c};
  }
  const bool is_gauss = method.tableau == Spark::Nodes::gauss;
  const Tableau own = is_gauss ? gauss_tableau(method.stages) : radau_iia_tableau(method.stages);
  // Gauss' is its own conjugate.
  const Tableau::Coefficients second =
      is_gauss || method.second == Spark::Second::same ? own.a : conjugate_tableau(own.a, own.b);
  return {own.a, second, second, own.b, own.c, !is_gauss};
}

Constant power_of(const Constant& x, int exponent) {
  Constant result{1.0};
  for (int k = 0; k < exponent; ++k) result = result * x;
  return result;
}

}  // namespace

MethodPage<Spark> Spark::page() {
  return {
      .name = "spark",
      .title = "SPARK method with Lobatto, Gauss or Radau tableaux",
      .use = {"constraints are to hold in a weighted mean over the stages, or Gauss' nodes are "
              "wanted: tableau = gauss has order 2 s",
              "coordinates are elements of Lie groups, where it is refused: take lobatto"},
      .description =
          "Constraints hold in a weighted mean over the stages and at the new node. tableau = "
          "\"gauss\" has order 2 s with s stages, is symmetric, and reports the multiplier of the "
          "motion at the node.",
      .source = "Jay2009",
      .formula =
          {"a, b, c: Lobatto IIIA, Gauss or Radau IIA; ahat: its conjugate (of Lobatto IIIB), "
           "the same, or another of Lobatto; atilde: IIIB, IIIC, IIIC* or IIID of Lobatto, else "
           "ahat",
           "Q_i = q0 + h*sum_j a_ij V_j, q1 = q0 + h*sum_j b_j V_j",
           "0 = dL/dv(Q_i, V_i) - p0 - h*sum_j ahat_ij (dL/dq + force)_j - h*sum_j "
           "atilde_ij A(Q_j, V_j)^T Psi_j, i = 1..s",
           "0 = sum_j b_j c_j^(i-1) Phi(Q_j, V_j), i = 1..s-1",
           "0 = dL/dv(q1, v1) - p0 - h*sum_j b_j F_j, 0 = Phi(q1, v1), lambda1 = Psi_s, with "
           "Gauss lambda(q1, v1) of the motion",
           "with constraints on positions: their forces with ahat; 0 = phi(Q_i), i = 2..s"},
      .facts = &Spark::facts,
      .requirements = &Spark::requirements,
      .equations = &Spark::equations,
      .options =
          {{"stages", &Spark::stages,
            "number of stages s; the order is 2 s - 2 (lobatto), 2 s (gauss), 2 s - 1 (radau-iia)",
            1, 8},
           {"tableau", &Spark::tableau, "the nodes of the stages, by collocation",
            Words<Nodes>{{Nodes::lobatto, "lobatto"},
                         {Nodes::gauss, "gauss"},
                         {Nodes::radau_iia, "radau-iia"}}},
           {"second", &Spark::second,
            "the tableau of forces in the stages' momenta: conjugate to the first (symplectic "
            "without constraints), the same, or of lobatto another family",
            Words<Second>{{Second::conjugate, "conjugate"},
                          {Second::same, "same"},
                          {Second::iiic, "IIIC"},
                          {Second::iiic_star, "IIIC*"},
                          {Second::iiid, "IIID"}}},
           {"constraint_tableau", &Spark::constraint_tableau,
            "tableau of the constraint forces, of lobatto",
            Words<Constraints>{{Constraints::iiib, "IIIB"},
                               {Constraints::iiic, "IIIC"},
                               {Constraints::iiic_star, "IIIC*"},
                               {Constraints::iiid, "IIID"}}}},
      .conflict = &Spark::conflict};
}

std::optional<std::string> Spark::conflict() const {
  if (tableau == Nodes::lobatto && stages < 2)
    return "needs two stages or more with Lobatto's tableaux, which hold both ends of the step; "
           "one "
           "stage goes with tableau = gauss or radau-iia";
  if (tableau != Nodes::lobatto && constraint_tableau != Constraints::iiib)
    return "has constraint_tableau for Lobatto's tableaux alone; leave it out";
  if (tableau != Nodes::lobatto && family_of(second) != Constraints::iiib)
    return "has IIIC, IIIC* and IIID for Lobatto's tableaux alone; second may be conjugate or same";
  return std::nullopt;
}

Facts Spark::facts() const {
  const bool is_gauss = tableau == Nodes::gauss, is_radau = tableau == Nodes::radau_iia;
  Facts facts{.order = is_gauss   ? 2 * stages
                       : is_radau ? 2 * stages - 1
                                  : 2 * stages - 2,
              .multiplier_order = is_gauss   ? 2 * stages
                                  : is_radau ? stages
                                             : stages - 1,
              .continuous_multiplier = is_gauss,
              .symmetric = is_symmetric(*this),
              .reversible = is_symmetric(*this),
              .maps_constraint_set = true,
              .keeps_fibration = true};
  // Two stages of Lobatto and one constraint with a row of length one keep it.
  if (tableau == Nodes::lobatto && stages > 2) facts.passenger_volume = PassengerVolume::lost;
  if (is_gauss || second == Second::conjugate) facts.symplectic = LagrangianKind::general;
  return facts;
}

Requirements Spark::requirements() const {
  Requirements needs{.lagrangian = LagrangianKind::general,
                     .constraints = ConstraintKind::nonlinear,
                     .handles_time = true,
                     .handles_force = true,
                     .handles_holonomic = tableau == Nodes::lobatto && second == Second::conjugate,
                     .handles_reactions = true};
  if (tableau != Nodes::lobatto)
    needs.reason = "they hold at the ends of the step, which tableau = lobatto has as nodes";
  else if (second != Second::conjugate)
    needs.reason = "they go with second = conjugate, whose last stage has no part in the others";
  return needs;
}

Equations Spark::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const SparkTableaux own = tableaux_of(*this);
  const Stages stage(s, a, h);
  const auto count = static_cast<std::size_t>(stages);
  const std::size_t free = s.nonholonomic_count();
  const Vector guess = a.lambda.empty() ? zeros(free) : slice(a.lambda, 0, free);
  std::vector<Vector> velocity, position, active, reaction, phi, lambda;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string index = std::to_string(i + 1);
    velocity.push_back(u.vector("V_" + index, a.v));
    lambda.push_back(u.multiplier("Psi_" + index, guess));
    if (tableau == Nodes::lobatto)
      lambda.back() = concatenate({lambda.back(), stage.holonomic_multiplier("h*mu_" + index, u)});
  }
  const Vector none_nonholonomic = zeros(free), none_holonomic = zeros(s.holonomic_count());
  for (std::size_t i = 0; i < count; ++i) {
    position.push_back(a.q + stage.sum(own.a[i], velocity));
    const Expr t = stage.time(own.c[i]);
    const Vector psi = slice(lambda[i], 0, free), mu = slice(lambda[i], free, s.holonomic_count());
    const Vector guided =
        stage.reaction(position[i], velocity[i], t, concatenate({none_nonholonomic, mu}));
    active.push_back(stage.active_force(position[i], velocity[i], t) + guided);
    reaction.push_back(
        stage.reaction(position[i], velocity[i], t, concatenate({psi, none_holonomic})));
    phi.push_back(stage.nonholonomic(position[i], velocity[i], t));
  }
  Vector zero;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector held = stage.sum(own.tilde[i], reaction);
    const Vector impulse = stage.sum(own.a_hat[i], active) + held;
    const Expr t = stage.time(own.c[i]);
    zero = concatenate({zero, stage.momentum_change(position[i], velocity[i], t) - impulse});
    if (i > 0) zero = concatenate({zero, stage.holonomic(position[i], t)});
  }
  for (int k = 0; k + 1 < stages; ++k) {
    std::vector<Constant> weights;
    for (std::size_t j = 0; j < count; ++j) weights.push_back(own.b[j] * power_of(own.c[j], k));
    zero = concatenate({zero, weighted_sum(1.0, weights, phi)});
  }
  // Where the last stage is the new node the last row of a holds the weights b.
  const Vector q = own.ends_at_node ? position.back() : a.q + stage.sum(own.b, velocity);
  const Vector held = stage.sum(own.b, reaction);
  const Vector impulse = stage.sum(own.b, active) + held;
  const Vector v = stage.velocity_of(q, a.t + h, impulse, "v", u, zero);
  Equations result{.zero = zero, .constraint = s.constraint(q, v, a.t + h), .after = {q, v}};
  if (own.ends_at_node) result.after.lambda = lambda.back();
  return result;
}

}  // namespace dalembert
