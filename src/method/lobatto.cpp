#include "dalembert/method/lobatto.hpp"

#include <cmath>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "method/stage/lobatto_stages.hpp"
#include "method/stage/retraction_words.hpp"
#include "method/stage/stages.hpp"
#include "method/stage/tableau_pair.hpp"

namespace dalembert {
namespace {

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
          .handles_holonomic = true,
          .handles_reactions = true};
}

Requirements also_on_groups() {
  Requirements requirements = any_system();
  requirements.handles_groups = true;
  return requirements;
}

}  // namespace

MethodPage<Lobatto> Lobatto::page() {
  return {
      .name = "lobatto",
      .title = "Lobatto method with any number of stages",
      .use = {"a reversible motion runs for long: order 4 and more, exact constraints of any "
              "kind, symmetric, also on Lie groups",
              "the motion is short and smooth: gauss has more digits for less work; or it is "
              "not reversible and runs for very long: energies can drift"},
      .description =
          "Order 2 s - 2 for linear, affine and nonlinear constraints and any regular Lagrangian. "
          "The multiplier of the first stage is open; by default (closed) the multipliers of a "
          "step lie on a polynomial of degree s - 2, and nothing is needed from the step before. "
          "Energy drifts where motions are not reversible. The published form is multiplier = "
          "\"carried\": an error in the carried multiplier is not damped. Where the motion is not "
          "reversible it can grow linearly in time with an odd number of stages, not with an even "
          "one; it can grow exponentially where motions approach an equilibrium, as driven and "
          "damped vehicles do. multiplier = \"exact\" starts every step anew, but is not "
          "symmetric: energy is lost at a rate like h^(2 s - 1) also where the others keep it. "
          "multiplier = \"turned\" (odd s) keeps the error of the carried one bounded where it "
          "grew linearly, and energy drifts least there; where that grows exponentially it does, "
          "too. We know of no earlier description of closed and turned. Two stages with the "
          "carried multiplier: the leap-frog.",
      .source = "MartinDeDiegoSato2018, Eq. (14)",
      .formula =
          {"a, b, c: Lobatto IIIA; ahat: Lobatto IIIB; F_j = dL/dq(Q_j, V_j) + force + A(Q_j, "
           "V_j)^T Lambda_j, with sum_i d_i Lambda_i = 0, d_i = prod_(j != i) 1/(c_i - c_j) "
           "(closed), or Lambda_1 = lambda0 (carried), lambda(q0, v0) of the motion (exact), 2 "
           "lambda(q0, v0) - lambda0 (turned)",
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
      .requirements = &Lobatto::requirements,
      .equations = &Lobatto::equations,
      .dense_output = &Lobatto::interpolation_nodes,
      .options =
          {{"stages", &Lobatto::stages, "number of stages s; the order is 2 s - 2", 2, 8},
           {"nodes", &Lobatto::nodes,
            "of a collocation method in place of Lobatto's, from 0 to 1: \"0, 1/3, 2/3, 1\""},
           {"tableau", &Lobatto::tableau,
            "rows of a tableau in place of Lobatto's, the first zero, the last with the weights: "
            "\"0, 0, 0; 1/4, 1/4, 0; 1/4, 1/2, 1/4\""},
           {"second", &Lobatto::second,
            "the tableau of forces in the stages' momenta: conjugate to the first, or the same",
            Words<Second>{{Second::conjugate, "conjugate"}, {Second::same, "same"}}},
           {"second_tableau", &Lobatto::second_tableau,
            "its rows in place of these, with the weights of the first in the last one or not: "
            "\"1/4, -1/4; 1/4, 1/4\" (they sum to the nodes)"},
           {"form", &Lobatto::form,
            "unknown stage velocities, or stage positions and momenta with the Hamiltonian",
            Words<Form>{{Form::lagrangian, "lagrangian"}, {Form::hamiltonian, "hamiltonian"}}},
           {"multiplier", &Lobatto::multiplier,
            "of the first stage: a combination of the other stages' (closed), the last of the step "
            "before (carried: as published, its errors can grow), that of the motion through the "
            "node (exact: not symmetric, and loses energy), or the carried one reflected at the "
            "exact one (turned: odd s); auto is closed, and carried with other tableaux",
            Words<Multiplier>{{Multiplier::automatic, "auto"},
                              {Multiplier::closed, "closed"},
                              {Multiplier::carried, "carried"},
                              {Multiplier::exact, "exact"},
                              {Multiplier::turned, "turned"}}},
           {"dense_output", &Lobatto::dense_output,
            "also compute a polynomial for times between the nodes"},
           {"retraction", &Lobatto::retraction, "by which a step moves on groups",
            retraction_words()},
           {"base", &Lobatto::base,
            "where the chart of a step on groups is chosen: symmetric in the middle, as published "
            "at the start",
            Words<ChartBase>{{ChartBase::middle, "middle"}, {ChartBase::start, "start"}}}},
      .conflict = &Lobatto::conflict,
      .misfit = &Lobatto::misfit,
      .remarks = &Lobatto::remarks,
      .warning = &Lobatto::warning};
}

TableauPair Lobatto::pair() const {
  return tableau_pair({stages, nodes, tableau, second == Second::same, second_tableau});
}
LobattoTableaux Lobatto::tableaux() const { return pair().tableaux; }
TableauProperties Lobatto::properties() const { return pair().properties(); }

std::vector<std::string> Lobatto::remarks() const {
  const LobattoTableaux own = tableaux();
  return {"tableau of " + tableau_text({own.a, own.b, own.c}, properties())};
}

std::optional<std::string> Lobatto::warning() const {
  if (!has_own_pair()) return std::nullopt;
  const double growth = std::fabs(properties().at_infinity);
  if (growth < 1.0 + 1e-12) return std::nullopt;
  return "lobatto with this tableau has R(inf) = " + to_string(properties().at_infinity) +
         ": an error of the carried multiplier grows by that factor in every step";
}

std::optional<std::string> Lobatto::conflict() const {
  if (!nodes.empty() && !tableau.empty())
    return "takes nodes or a tableau, not both: nodes give the tableau of collocation";
  if (second == Second::same && !second_tableau.empty())
    return "takes second = same or the rows of a second tableau, not both";
  if (has_own_pair()) {
    if (chosen_multiplier() != Multiplier::carried) {
      return "takes another multiplier than the carried one for Lobatto's own tableaux alone; "
             "leave out nodes, tableau and second, or multiplier";
    }
    if (dense_output && !tableau.empty())
      return "has dense output for collocation alone; give nodes in place of a tableau";
    try {
      const std::size_t count = tableaux().b.size();
      if (has_own_tableau() && stages != Lobatto{}.stages &&
          static_cast<std::size_t>(stages) != count) {
        return "has stages = " + std::to_string(stages) + " and " + std::to_string(count) +
               " stages in its tableau; leave stages out";
      }
      if (const auto wrong = wrong_tableau(properties())) return wrong;
    } catch (const RequestError& error) {
      return error.what();
    }
  }
  if (multiplier == Multiplier::turned && stages % 2 == 0) {
    return "takes multiplier = \"turned\" for an odd number of stages only: with an even one the "
           "carried multiplier turns by itself";
  }
  return std::nullopt;
}

Facts Lobatto::facts() const {
  if (has_own_pair()) return own_tableau_facts();
  const Multiplier chosen = chosen_multiplier();
  const bool is_carried = chosen == Multiplier::carried;
  const bool carries = is_carried || chosen == Multiplier::turned;
  // An error in the carried multiplier that keeps its sign adds up; one that changes it does not.
  const bool full = chosen == Multiplier::exact || chosen == Multiplier::turned ||
                    (is_carried && stages % 2 == 0);
  return {.order = 2 * stages - 2,
          .multiplier_order = full ? stages : stages - 1,
          .holonomic_multiplier_order = stages - 1,
          .symmetric = chosen != Multiplier::exact,
          .asymmetric_on_groups = base == ChartBase::start,
          .reversible = chosen != Multiplier::exact,
          .maps_constraint_set = true,
          .carries_multiplier = carries,
          .reflects_multiplier = chosen == Multiplier::turned,
          .multiplier_growth = carries                        ? std::optional(stages - 1)
                               : chosen == Multiplier::closed ? std::optional(0)
                                                              : std::nullopt,
          .keeps_fibration = true,
          .passenger_volume = !is_carried   ? PassengerVolume::not_said
                              : stages == 2 ? PassengerVolume::every_step  // the leap-frog
                                            : PassengerVolume::lost,
          .symplectic = LagrangianKind::general};
}

Requirements Lobatto::requirements() const {
  if (!has_own_pair()) return also_on_groups();
  Requirements needs = any_system();
  needs.handles_holonomic = false;
  needs.reason =
      "only Lobatto's own tableaux are known to have their orders there; leave out "
      "nodes, tableau and second";
  needs.on_groups = "leave out nodes, tableau and second there";
  return needs;
}

Facts Lobatto::own_tableau_facts() const {
  const TableauPair own = pair();
  const TableauOrders orders = own.orders();
  const bool is_symmetric = own.properties().is_symmetric;
  Facts facts{.order = orders.states,
              .multiplier_order = orders.multiplier,
              .symmetric = is_symmetric,
              .reversible = is_symmetric,
              .maps_constraint_set = true,
              .carries_multiplier = true,
              .keeps_fibration = true};
  if (own.kind == TableauPair::Kind::conjugate) facts.symplectic = LagrangianKind::general;
  return facts;
}

std::optional<std::string> Lobatto::misfit(const System& system) const {
  if (system.traits().has_groups && (form != Form::lagrangian || multiplier == Multiplier::exact ||
                                     multiplier == Multiplier::turned || dense_output)) {
    return "method \"lobatto\" has its Hamiltonian form, exact and turned multipliers and dense "
           "output for coordinates alone, and system \"" +
           system.name() + "\" is one on " + system.configuration().text() +
           "; use form = \"lagrangian\", multiplier = \"auto\" and dense_output = false";
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
  LobattoTableaux lobatto = tableaux();
  State start = a;
  if (s.traits().nonholonomic) {
    const Multiplier chosen = chosen_multiplier();
    if (chosen == Multiplier::exact || chosen == Multiplier::turned)
      start.lambda = s.eliminated(a.q, a.v, a.t).lambda;
    if (chosen == Multiplier::turned) start.lambda = 2.0 * start.lambda - a.lambda;
    if (chosen == Multiplier::closed) lobatto.closing = closing_weights(lobatto.c);
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
  std::vector<Constant> places = tableaux().c;
  const auto middle = static_cast<std::ptrdiff_t>(places.size() / 2);
  places.insert(places.begin() + middle,
                Constant{0.5} * (places[std::size_t(middle) - 1] + places[std::size_t(middle)]));
  return places;
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
  const std::vector<Constant> places = interpolation_nodes();
  Vector result;
  std::vector<Vector> moved;
  for (const Vector& position : all.position) moved.push_back(position - all.position.front());
  for (std::size_t k = 1; k + 1 < places.size(); ++k) {
    std::vector<Constant> basis;
    for (std::size_t j = 0; j < lobatto.c.size(); ++j)
      basis.push_back(lagrange_value(lobatto.c, j, places[k]));
    // The velocities of the IIIA tableau are more accurate than the stage velocities.
    const auto [values, slopes] = hermite_weights(lobatto.c, places[k]);
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
      .use = {"the published method is reproduced, its chart at the start of the step and its "
              "multiplier carried",
              "anything else is wanted: lobatto is symmetric on groups, and its multiplier "
              "cannot grow"},
      .description =
          "lobatto with the base point of its chart at the start of the step and the multiplier "
          "carried: the same order, but not symmetric on groups, so that energies drift that "
          "lobatto keeps near their values. Without groups it is lobatto with multiplier = "
          "\"carried\".",
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
  return {.stages = method.stages,
          .multiplier = Lobatto::Multiplier::carried,
          .retraction = method.retraction,
          .base = ChartBase::start};
}

}  // namespace

Facts LieLobatto::facts() const { return from_the_start(*this).facts(); }

Equations LieLobatto::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return from_the_start(*this).equations(s, a, u, h);
}

}  // namespace dalembert
