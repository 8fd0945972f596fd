#include "dalembert/method/lobatto.hpp"

#include <string>

#include "dalembert/expression/query.hpp"
#include "method/stage/lobatto_stages.hpp"
#include "method/stage/retraction_words.hpp"
#include "method/stage/stages.hpp"

namespace dalembert {
namespace {

/// IIIC: a_i1 = b_1, and exact integrals of polynomials of degree s - 2 up to each node.
LobattoTableaux::Coefficients lobatto_iiic(const std::vector<Constant>& b,
                                           const std::vector<Constant>& c) {
  const std::vector<Constant> rest(c.begin() + 1, c.end());
  LobattoTableaux::Coefficients a;
  for (const Constant& node : c) {
    const std::vector<Constant> integrals = integrated_lagrange(rest, node);
    std::vector<Constant> row{b[0]};
    for (std::size_t j = 0; j < rest.size(); ++j) {
      row.push_back(integrals[j] - b[0] * lagrange_value(rest, j, Constant{0.0}));
    }
    a.push_back(row);
  }
  return a;
}

Constant power(const Constant& x, int exponent) {
  Constant result{1.0};
  for (int k = 0; k < exponent; ++k) result = result * x;
  return result;
}

/// -d_i/d_1 with d_i = prod_(j != i) 1/(c_i - c_j): sum_i d_i f(c_i) = 0 for polynomials f of
/// degree s - 2.
std::vector<Constant> closing_weights(const std::vector<Constant>& c) {
  std::vector<Constant> products;
  for (std::size_t i = 0; i < c.size(); ++i) {
    Constant product{1.0};
    for (std::size_t j = 0; j < c.size(); ++j) {
      if (j != i) product = product * (c[i] - c[j]);
    }
    products.push_back(product);
  }
  std::vector<Constant> weights;
  for (std::size_t i = 1; i < c.size(); ++i)
    weights.push_back(Constant{0.0} - products[0] / products[i]);
  return weights;
}

Requirements any_system() {
  return {.lagrangian = LagrangianKind::general,
          .constraints = ConstraintKind::nonlinear,
          .handles_time = true,
          .handles_force = true,
          .handles_holonomic = true};
}

Requirements also_on_groups() {
  Requirements requirements = any_system();
  requirements.handles_groups = true;
  return requirements;
}

}  // namespace

LobattoTableaux::Coefficients conjugate_tableau(const LobattoTableaux::Coefficients& a,
                                                const std::vector<Constant>& b) {
  LobattoTableaux::Coefficients result = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) result[i][j] = b[j] - b[j] * a[j][i] / b[i];
  }
  return result;
}

LobattoTableaux lobatto_tableaux(int stages) {
  const QuadratureRule rule = lobatto_rule(stages);
  LobattoTableaux result{rule.weights, rule.nodes, collocation_coefficients(rule.nodes), {}, {}};
  result.a_hat = conjugate_tableau(result.a, result.b);
  // The forces at the last stage do not act on the stage velocities. As an exact zero, this halves
  // the systems that remain to be solved.
  for (std::vector<Constant>& row : result.a_hat) row.back() = Constant{0.0};
  const auto iiic = lobatto_iiic(result.b, result.c),
             iiic_conjugate = conjugate_tableau(iiic, result.b);
  result.d = iiic;
  for (std::size_t i = 0; i < iiic.size(); ++i) {
    for (std::size_t j = 0; j < iiic.size(); ++j)
      result.d[i][j] = Constant{0.5} * (iiic[i][j] + iiic_conjugate[i][j]);
  }
  return result;
}

MethodPage<Lobatto> Lobatto::page() {
  return {
      .name = "lobatto",
      .title = "Lobatto method with any number of stages",
      .description =
          "Order 2 s - 2 for linear, affine and nonlinear constraints and any regular Lagrangian. "
          "Carries the multiplier, which starts with its exact value; an error in it is not "
          "damped. Where the motion is not reversible it can grow linearly in time with an odd "
          "number of stages, not with an even one; it can grow exponentially where the mass or the "
          "constraints depend on positions on which they act. multiplier = \"exact\" starts every "
          "step anew, free of that growth, but "
          "not symmetric: energy is lost at a rate like h^(2 s - 1) also where the carried "
          "multiplier keeps it. multiplier = \"turned\" (odd s) keeps the error bounded where it "
          "grew linearly, and energy drifts least there; where that grows exponentially it does, "
          "too. \"closed\" needs nothing from the step before, and compose takes it as base; its "
          "energy drifts where motions are not reversible. Both are symmetric, and we know of no "
          "earlier description. Two stages: the "
          "leap-frog.",
      .source = "MartinDeDiegoSato2018, Eq. (14)",
      .formula =
          {"a, b, c: Lobatto IIIA; ahat: Lobatto IIIB; F_j = dL/dq(Q_j, V_j) + force + A(Q_j, "
           "V_j)^T Lambda_j, Lambda_1 = lambda0 (carried), lambda(q0, v0) of the motion (exact), 2 "
           "lambda(q0, v0) - lambda0 (turned), or sum_i d_i Lambda_i = 0, d_i = prod_(j != i) "
           "1/(c_i - c_j) (closed)",
           "Q_i = q0 + h*sum_j a_ij V_j",
           "0 = dL/dv(Q_i, V_i) - p0 - h*sum_j ahat_ij F_j, i = 1..s",
           "0 = dL/dv(Q_i, vtilde_i) - p0 - h*sum_j a_ij F_j, 0 = Phi(Q_i, vtilde_i), i = 2..s",
           "with constraints on positions: F_j also has Dphi(Q_j)^T mu_j, mu_1 free; 0 = "
           "phi(Q_i), i = 2..s, 0 = d/dt phi at (Q_s, vtilde_s)",
           "q1 = Q_s, v1 = vtilde_s, lambda1 = Lambda_s, mu1 = mu_s",
           "on groups: V_j in the chart of the step, Q_i = gc*tau(z_i), z_i = h*sum_j a_ij V_j - "
           "theta*h*sum_j b_j V_j, F_j = T(z_j)^T f_j + DT(z_j, V_j)^T dL/dv, and sums of a_ij F_j "
           "are those of Ad*_tau(-z_j) f_j"},
      .facts = &Lobatto::facts,
      .requirements = also_on_groups(),
      .equations = &Lobatto::equations,
      .dense_output = &Lobatto::interpolation_nodes,
      .options =
          {{"stages", &Lobatto::stages, "number of stages s; the order is 2 s - 2", 2, 8},
           {"form", &Lobatto::form,
            "unknown stage velocities, or stage positions and momenta with the Hamiltonian",
            Words<Form>{{Form::lagrangian, "lagrangian"}, {Form::hamiltonian, "hamiltonian"}}},
           {"multiplier", &Lobatto::multiplier,
            "of the first stage: the last of the step before (carried), that of the motion through "
            "the node (exact: not symmetric, and loses energy), the carried one reflected at the "
            "exact one (turned: odd s), or a combination of the other stages' (closed)",
            Words<Multiplier>{{Multiplier::carried, "carried"},
                              {Multiplier::exact, "exact"},
                              {Multiplier::turned, "turned"},
                              {Multiplier::closed, "closed"}}},
           {"dense_output", &Lobatto::dense_output,
            "also compute a polynomial for times between the nodes"},
           {"retraction", &Lobatto::retraction, "by which a step moves on groups",
            retraction_words()},
           {"base", &Lobatto::base,
            "where the chart of a step on groups is chosen: symmetric in the middle, as published "
            "at the start",
            Words<ChartBase>{{ChartBase::middle, "middle"}, {ChartBase::start, "start"}}}},
      .conflict = &Lobatto::conflict,
      .misfit = &Lobatto::misfit};
}

std::optional<std::string> Lobatto::conflict() const {
  if (multiplier == Multiplier::turned && stages % 2 == 0) {
    return "takes multiplier = \"turned\" for an odd number of stages only: with an even one the "
           "carried multiplier turns by itself";
  }
  if (multiplier == Multiplier::closed && form == Form::hamiltonian)
    return "has multiplier = \"closed\" in its Lagrangian form only";
  return std::nullopt;
}

Facts Lobatto::facts() const {
  const bool carries = multiplier == Multiplier::carried || multiplier == Multiplier::turned;
  // An error in the carried multiplier that keeps its sign adds up; one that changes it does not.
  const bool full = multiplier == Multiplier::exact || multiplier == Multiplier::turned ||
                    (multiplier == Multiplier::carried && stages % 2 == 0);
  // Two stages are the leap-frog.
  const bool is_leapfrog = stages == 2 && multiplier == Multiplier::carried;
  const bool has_more = stages > 2 && multiplier == Multiplier::carried;
  return {.order = 2 * stages - 2,
          .multiplier_order = full ? stages : stages - 1,
          .holonomic_multiplier_order = stages - 1,
          .symmetric = multiplier != Multiplier::exact,
          .asymmetric_on_groups = base == ChartBase::start,
          .reversible = multiplier != Multiplier::exact,
          .maps_constraint_set = true,
          .carries_multiplier = carries,
          .reflects_multiplier = multiplier == Multiplier::turned,
          .keeps_fibration = true,
          .passenger_volume = is_leapfrog ? PassengerVolume::every_step
                              : has_more  ? PassengerVolume::lost
                                          : PassengerVolume::not_said,
          .symplectic = LagrangianKind::general};
}

std::optional<std::string> Lobatto::misfit(const System& system) const {
  if (system.traits().has_groups &&
      (form != Form::lagrangian || multiplier != Multiplier::carried || dense_output)) {
    return "method \"lobatto\" has its Hamiltonian form, other multipliers than the carried one "
           "and dense output for "
           "coordinates alone, and system \"" +
           system.name() + "\" is one on " + system.configuration().text() +
           "; use form = \"lagrangian\", multiplier = \"carried\" and dense_output = false";
  }
  if (form == Form::lagrangian) return std::nullopt;
  const Symbols symbols = system.symbols();
  for (const Expr& entry : system.mass(symbols.q, symbols.v).entries()) {
    if (depends_on(entry, symbols.v)) {
      return "method \"lobatto\" has no Hamiltonian form on system \"" + system.name() +
             "\": its Lagrangian is not quadratic in the velocities, so that its Hamiltonian is "
             "not explicit; use form = \"lagrangian\", which gives the same numbers";
    }
  }
  return std::nullopt;
}

Equations Lobatto::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  LobattoTableaux lobatto = lobatto_tableaux(stages);
  State start = a;
  if (s.traits().nonholonomic) {
    if (multiplier == Multiplier::exact || multiplier == Multiplier::turned)
      start.lambda = s.eliminated(a.q, a.v, a.t).lambda;
    if (multiplier == Multiplier::turned) start.lambda = 2.0 * start.lambda - a.lambda;
    if (multiplier == Multiplier::closed) lobatto.closing = closing_weights(lobatto.c);
  }
  const LobattoStages all = form == Form::hamiltonian
                                ? hamiltonian_stages(lobatto, s, start, u, h)
                                : lagrangian_stages(lobatto, s, start, u, h, retraction, base);
  Equations result{
      all.zero, all.constraint, {all.position.back(), all.node_velocity.back(), all.lambda.back()}};
  if (dense_output) result.after.dense = interpolation_values(lobatto, all, h);
  return result;
}

std::vector<Constant> Lobatto::interpolation_nodes() const {
  if (!dense_output) return {};
  // The stages' own, and one more for the degree s of the positions.
  std::vector<Constant> nodes = lobatto_rule(stages).nodes;
  const auto middle = static_cast<std::ptrdiff_t>(nodes.size() / 2);
  nodes.insert(nodes.begin() + middle,
               Constant{0.5} * (nodes[std::size_t(middle) - 1] + nodes[std::size_t(middle)]));
  return nodes;
}

namespace {

/// The weights of values and derivatives at the nodes in Hermite's polynomial at x.
std::pair<std::vector<Constant>, std::vector<Constant>> hermite_weights(
    const std::vector<Constant>& nodes, const Constant& x) {
  std::vector<Constant> values, slopes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Constant own_slope{0.0};
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (k != i) own_slope = own_slope + Constant{1.0} / (nodes[i] - nodes[k]);
    }
    const Constant square = lagrange_value(nodes, i, x) * lagrange_value(nodes, i, x);
    const Constant distance = x - nodes[i];
    values.push_back((Constant{1.0} - Constant{2.0} * distance * own_slope) * square);
    slopes.push_back(distance * square);
  }
  return {values, slopes};
}

}  // namespace

Vector Lobatto::interpolation_values(const LobattoTableaux& lobatto, const LobattoStages& all,
                                     const Expr& h) const {
  const std::vector<Constant> nodes = interpolation_nodes();
  Vector result;
  std::vector<Vector> moved;
  for (const Vector& position : all.position) moved.push_back(position - all.position.front());
  for (std::size_t k = 1; k + 1 < nodes.size(); ++k) {
    std::vector<Constant> basis;
    for (std::size_t j = 0; j < lobatto.c.size(); ++j)
      basis.push_back(lagrange_value(lobatto.c, j, nodes[k]));
    // The velocities of the IIIA tableau are more accurate than the stage velocities.
    const auto [values, slopes] = hermite_weights(lobatto.c, nodes[k]);
    const Vector turned = h * weighted_sum(1.0, slopes, all.node_velocity);
    result = concatenate({result, weighted_sum(1.0, values, moved) + turned,
                          weighted_sum(1.0, basis, all.node_velocity),
                          weighted_sum(1.0, basis, all.lambda)});
  }
  return result;
}

MethodPage<LieLobatto> LieLobatto::page() {
  return {
      .name = "lie-lobatto",
      .title = "Lobatto method on Lie groups, as published",
      .description =
          "lobatto with the base point of its chart at the start of the step: the same order, "
          "but not symmetric on groups, so that energies drift that lobatto keeps near their "
          "values. Without groups it is lobatto.",
      .source = "MartinDeDiegoSato2018, Sect. 6",
      .formula = {"the equations of lobatto with theta = 0", "gc = g0, z_i = h*sum_j a_ij V_j"},
      .facts = &LieLobatto::facts,
      .requirements = also_on_groups(),
      .equations = &LieLobatto::equations,
      .options = {{"stages", &LieLobatto::stages, "number of stages s; the order is 2 s - 2", 2, 8},
                  {"retraction", &LieLobatto::retraction, "by which a step moves on groups",
                   retraction_words()}}};
}

namespace {

Lobatto from_the_start(const LieLobatto& method) {
  return {.stages = method.stages, .retraction = method.retraction, .base = ChartBase::start};
}

}  // namespace

Facts LieLobatto::facts() const { return from_the_start(*this).facts(); }

Equations LieLobatto::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return from_the_start(*this).equations(s, a, u, h);
}

MethodPage<Spark> Spark::page() {
  return {
      .name = "spark",
      .title = "SPARK method with Lobatto tableaux",
      .description = "Constraints hold in a weighted mean over the stages and at the new node.",
      .source = "Jay2009",
      .formula = {"a, b, c: Lobatto IIIA; ahat: Lobatto IIIB; atilde: IIIB or IIID",
                  "Q_i = q0 + h*sum_j a_ij V_j, q1 = q0 + h*sum_j b_j V_j",
                  "0 = dL/dv(Q_i, V_i) - p0 - h*sum_j ahat_ij (dL/dq + force)_j - h*sum_j "
                  "atilde_ij A(Q_j, V_j)^T Psi_j, i = 1..s",
                  "0 = sum_j b_j c_j^(i-1) Phi(Q_j, V_j), i = 1..s-1",
                  "0 = dL/dv(q1, v1) - p0 - h*sum_j b_j F_j, 0 = Phi(q1, v1), lambda1 = Psi_s",
                  "with constraints on positions: their forces with ahat; 0 = phi(Q_i), i = 2..s"},
      .facts = &Spark::facts,
      .requirements = any_system(),
      .equations = &Spark::equations,
      .options = {
          {"stages", &Spark::stages, "number of stages s; the order is 2 s - 2", 2, 8},
          {"constraint_tableau", &Spark::constraint_tableau, "tableau of the constraint forces",
           Words<Tableau>{{Tableau::iiib, "IIIB"}, {Tableau::iiid, "IIID"}}}}};
}

Facts Spark::facts() const {
  return {.order = 2 * stages - 2,
          .multiplier_order = stages - 1,
          .symmetric = true,
          .reversible = true,
          .maps_constraint_set = true,
          .keeps_fibration = true,
          // Two stages and one constraint with a row of length one keep it.
          .passenger_volume = stages > 2 ? PassengerVolume::lost : PassengerVolume::not_said,
          .symplectic = LagrangianKind::general};
}

Equations Spark::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const LobattoTableaux lobatto = lobatto_tableaux(stages);
  const auto& tilde = constraint_tableau == Tableau::iiid ? lobatto.d : lobatto.a_hat;
  const Stages stage(s, a, h);
  const auto count = static_cast<std::size_t>(stages);
  const std::size_t free = s.nonholonomic_count();
  std::vector<Vector> velocity, position, active, reaction, phi, lambda;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string index = std::to_string(i + 1);
    velocity.push_back(u.vector("V_" + index, a.v));
    lambda.push_back(concatenate({u.multiplier("Psi_" + index, slice(a.lambda, 0, free)),
                                  stage.holonomic_multiplier("h*mu_" + index, u)}));
  }
  const Vector none_nonholonomic = zeros(free), none_holonomic = zeros(s.holonomic_count());
  for (std::size_t i = 0; i < count; ++i) {
    position.push_back(a.q + stage.sum(lobatto.a[i], velocity));
    const Expr t = stage.time(lobatto.c[i]);
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
    const Vector held = stage.sum(tilde[i], reaction);
    const Vector impulse = stage.sum(lobatto.a_hat[i], active) + held;
    const Expr t = stage.time(lobatto.c[i]);
    zero = concatenate({zero, stage.momentum_change(position[i], velocity[i], t) - impulse});
    if (i > 0) zero = concatenate({zero, stage.holonomic(position[i], t)});
  }
  for (int k = 0; k + 1 < stages; ++k) {
    std::vector<Constant> weights;
    for (std::size_t j = 0; j < count; ++j)
      weights.push_back(lobatto.b[j] * power(lobatto.c[j], k));
    zero = concatenate({zero, weighted_sum(1.0, weights, phi)});
  }
  // The last row of IIIA holds the weights b.
  const Vector& q = position.back();
  const Vector held = stage.sum(lobatto.b, reaction);
  const Vector impulse = stage.sum(lobatto.b, active) + held;
  const Vector v = stage.velocity_of(q, a.t + h, impulse, "v", u, zero);
  return {.zero = zero, .constraint = s.constraint(q, v, a.t + h), .after = {q, v, lambda.back()}};
}

}  // namespace dalembert
