#include "dalembert/method/node/herglotz.hpp"

#include <algorithm>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "mechanics/new_symbols.hpp"
#include "method/splitting/generic_points.hpp"

namespace dalembert {
namespace {

/// A place without relations between its coordinates, at which constants are read.
Vector generic_place(std::size_t count) {
  Vector place;
  for (std::size_t i = 0; i < count; ++i) place.emplace_back(0.31 + 0.23 * static_cast<double>(i));
  return place;
}

/// gamma of a force -gamma dL/dv, as an expression of the parameters.
Expr friction_rate(const System& system, const Expr& beside) {
  if (!system.traits().forced) return 0.0;
  const Symbols s = system.symbols(beside);
  const Expr slope = gradient(system.force(s.q, s.v, s.t).front(), s.v).front();
  const Expr mass = gradient(system.momentum(s.q, s.v, s.t).front(), s.v).front();
  const Vector symbols = concatenate({s.q, s.v});
  return -substitute(slope / mass, symbols, generic_place(symbols.size()));
}

/// Whether the force is that friction, for all states and parameters.
bool is_friction(const System& system) {
  if (!system.traits().forced) return true;
  const Symbols s = system.symbols();
  const Vector momentum = system.momentum(s.q, s.v, s.t), force = system.force(s.q, s.v, s.t);
  const Vector rest = force + friction_rate(system, s.t) * momentum;
  const Vector place = new_symbols(s.t.graph(), "z", 2 * system.dof());
  const std::vector<bool> zero = GenericPoints(system, place, place)
                                     .vanishing(substitute(rest, concatenate({s.q, s.v}), place));
  return std::ranges::all_of(zero, [](bool vanishes) { return vanishes; });
}

}  // namespace

MethodPage<Herglotz> Herglotz::page() {
  return {
      .name = "herglotz",
      .title = "discrete Herglotz principle with friction in the Lagrangian",
      .use = {"friction takes all momenta away at one rate, and that decay must be right to "
              "machine precision",
              "friction has another form, or the equations depend on time: it is refused; "
              "without friction lobatto has more digits"},
      .description =
          "Friction that takes all momenta away at one rate, an external force -gamma dL/dv, as a "
          "term -gamma z of the Lagrangian, z the action, which is carried. Momenta that "
          "symmetries "
          "keep but for the friction decay as the steps' own factor says, to round-off. Without "
          "friction it is a member of the family around exact discrete mechanics.",
      .source = "MacielOrtizSchaerer2023; VermeerenBravettiSeri2019",
      .formula = {"w = (q1 - q0)/h, qm = (q0 + q1)/2, gamma from the force -gamma*dL/dv",
                  "0 = dL/dv(q0, v0) + A(q0)^T l0 - (dL/dv(qm, w) - h/2*dL/dq(qm, w))/(1 - "
                  "gamma*h/2)",
                  "0 = A(qm) w + b(qm)",
                  "0 = dL/dv(q1, v1) - A(q1)^T l1 - (dL/dv(qm, w) + h/2*dL/dq(qm, w))/(1 + "
                  "gamma*h/2), 0 = A(q1) v1 + b(q1)",
                  "z1 = ((1 - gamma*h/2) z0 + h*L(qm, w))/(1 + gamma*h/2)"},
      .facts = Facts{.order = 2,
                     .multiplier_order = 2,
                     .continuous_multiplier = true,
                     .symmetric = true,
                     .reversible = true,
                     .maps_constraint_set = true,
                     .keeps_fibration = true,
                     .symplectic = LagrangianKind::general},
      .requirements =
          Requirements{.lagrangian = LagrangianKind::general,
                       .constraints = ConstraintKind::affine,
                       .handles_force = true,
                       .reason = "its principle is that of an action of positions and velocities",
                       .on_groups = "dla and gni are made for them, with friction as a force"},
      .equations = &Herglotz::equations,
      .carries = &Herglotz::action_name,
      .misfit = &Herglotz::misfit};
}

std::optional<std::string> Herglotz::misfit(const System& system) const {
  if (is_friction(system)) return std::nullopt;
  return "method \"herglotz\" cannot be used on system \"" + system.name() +
         "\": its external force is not friction at one rate, -gamma dL/dv, which a Lagrangian "
         "with the action in it can hold";
}

std::vector<std::string> Herglotz::action_name(const System& /*system*/) const {
  return {"action"};
}

Equations Herglotz::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Expr half = 0.5 * h * friction_rate(s, h), less = 1.0 - half, more = 1.0 + half;
  const Vector w = u.vector("w", a.v), path = h * w;
  const Vector first = u.multiplier("h*l0", 0.5 * h * a.lambda);
  const Vector q = a.q + path, middle = a.q + 0.5 * path;
  const Expr t = a.t + h, tm = a.t + 0.5 * h;
  const Vector v = u.vector("v", w), last = u.multiplier("h*l1", 0.5 * h * a.lambda);
  const Vector start = s.momentum(a.q, a.v, a.t), end = s.momentum(q, v, t);
  const Vector kick = 0.5 * h * s.lagrangian_gradient(middle, w, tm);
  Vector first_change, last_change;
  if (s.traits().lagrangian == LagrangianKind::constant_mass) {
    const Vector early = w - a.v, late = v - w;
    first_change = s.mass(middle) * early;
    last_change = s.mass(middle) * late;
  } else {
    const Vector between = s.momentum(middle, w, tm);
    first_change = between - start;
    last_change = end - between;
  }
  // Multiplied by the factors, so that without friction nothing is lost.
  const Vector push = less * s.constraint_force(a.q, a.v, a.t, first),
               pull = more * s.constraint_force(q, v, t, last);
  const Vector leaves = (first_change + half * start) - (kick + push),
               arrives = (last_change + half * end) - (kick + pull);
  const Expr earlier = less * a.carried.front(), gained = h * s.lagrangian(middle, w, tm);
  const Expr action = (earlier + gained) / more;
  return {.zero = concatenate({leaves, arrives, s.constraint(middle, w, tm)}),
          .constraint = s.constraint(q, v, t),
          .after = {q, v, {}, {action}}};
}

}  // namespace dalembert
