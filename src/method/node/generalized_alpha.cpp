#include "dalembert/method/node/generalized_alpha.hpp"

#include "method/energy/discrete_energy_terms.hpp"
#include "method/stage/retraction_words.hpp"
#include "node_acceleration.hpp"

namespace dalembert {
namespace {

/// The coefficients for a spectral radius at infinity. Source: [ChungHulbert1993].
struct Weights {
  Constant mass, force, velocity, position;  ///< am, af, gamma, beta
};

Weights weights_of(double rho) {
  const Constant one{1.0}, radius{rho}, sum = radius + one;
  const Constant mass = (Constant{2.0} * radius - one) / sum, force = radius / sum;
  const Constant velocity = Constant{0.5} + (force - mass), root = velocity + Constant{0.5};
  return {mass, force, velocity, Constant{0.25} * (root * root)};
}

}  // namespace

MethodPage<GeneralizedAlpha> GeneralizedAlpha::page() {
  return {
      .name = "generalized-alpha",
      .aliases = {{"trapezoidal-rule", "Newmark1959", {{"rho", 1.0}}}},
      .title = "generalized-alpha method with velocity constraints",
      .use = {"results are compared with multibody codes, or what a step does not resolve is "
              "to be damped (rho < 1)",
              "the energy matters and rho < 1: the damping takes it away"},
      .description =
          "The method of structural and multibody dynamics, with the constraints at the new "
          "velocity. rho < 1 damps what the step does not resolve, and with it the energy. rho = 1 "
          "is the trapezoidal rule: symmetric, and for constant mass half a step away from the "
          "midpoint rule with the constraint in the middle, whose energy is exact for quadratic "
          "potentials.",
      .source = "ChungHulbert1993; ArnoldBruls2007; BrulsCardonaArnold2012",
      .formula =
          {"am = (2*rho - 1)/(rho + 1), af = rho/(rho + 1), gamma = 1/2 + af - am, beta = "
           "(gamma + 1/2)^2/4",
           "d0, d1: the acceleration at the nodes with lambda0 and lambda1; a0 carried, a0 = "
           "d0 at the start",
           "(1 - am) a1 = (1 - af) d1 + af d0 - am a0",
           "q1 = q0 + h*v0 + h^2*((1/2 - beta) a0 + beta a1)",
           "v1 = v0 + h*((1 - gamma) a0 + gamma a1), 0 = A(q1) v1 + b(q1)",
           "on groups: q1 = q0 tau(h*v0 + h^2*(...))"},
      .facts = &GeneralizedAlpha::facts,
      .requirements =
          Requirements{.lagrangian = LagrangianKind::general,
                       .constraints = ConstraintKind::nonlinear,
                       .handles_time = true,
                       .handles_force = true,
                       .handles_groups = true,
                       .handles_reactions = true,
                       .reason = "it has multipliers for constraints on velocities alone"},
      .equations = &GeneralizedAlpha::equations,
      .carries = &GeneralizedAlpha::acceleration_names,
      .start = &GeneralizedAlpha::acceleration_start,
      .discrete_energy = &GeneralizedAlpha::discrete_energy,
      .options = {{"rho", &GeneralizedAlpha::rho,
                   "spectral radius at infinity, 0 most damping to 1 none", 0.0, 1.0},
                  {"retraction", &GeneralizedAlpha::retraction, "by which a step moves on groups",
                   retraction_words()}}};
}

Facts GeneralizedAlpha::facts() const {
  Facts facts{.order = 2,
              .multiplier_order = 2,
              .symmetric = rho == 1.0,
              .reversible = rho == 1.0,
              .maps_constraint_set = true,
              .carries_multiplier = true,
              .multiplier_growth = 0,
              .keeps_fibration = true};
  // The algorithmic acceleration starts an h away from its course.
  if (rho < 1.0) facts.local_order = 2;
  return facts;
}

std::vector<std::string> GeneralizedAlpha::acceleration_names(const System& system) const {
  std::vector<std::string> names;
  // Of the trapezoidal rule a is d at every node.
  if (rho == 1.0) return names;
  for (const std::string& name : system.configuration().velocity_columns())
    names.push_back(name + "_rate");
  return names;
}

Vector GeneralizedAlpha::acceleration_start(const System& system, const State& start) const {
  if (rho == 1.0) return {};
  return system.eliminated(start.q, start.v, start.t).acceleration;
}

Equations GeneralizedAlpha::equations(const System& s, const State& a, Unknowns& u,
                                      const Expr& h) const {
  const auto [mass, force, velocity, position] = weights_of(rho);
  const Constant one{1.0};
  const Expr t = a.t + h;
  const NodeAcceleration old = node_acceleration(s, a, a.lambda, u, "acceleration_before");
  const Vector d = u.vector("acceleration", zeros(s.dof()));
  const Vector lambda = u.multiplier("lambda", a.lambda);
  Vector before = old.value, after = d;
  if (rho != 1.0) {
    before = a.carried;
    const Constant share = one / (one - mass);
    const Vector newer = Expr((one - force) * share) * d, older = Expr(force * share) * old.value;
    after = (newer + older) - Expr(mass * share) * before;
  }
  const auto mean = [&](const Constant& old_weight, const Constant& new_weight) {
    const Vector newer = Expr(new_weight) * after;
    return Expr(old_weight) * before + newer;
  };
  const Vector bend = h * mean(Constant{0.5} - position, position);
  const Vector path = h * (a.v + bend);
  const Vector q = s.configuration().move(retraction, a.q, path);
  const Vector v = a.v + h * mean(one - velocity, velocity);
  const Vector dynamics = slice(s.motion_residual(q, v, t, d, lambda), 0, s.dof());
  return {.zero = concatenate({old.balance, dynamics}),
          .constraint = s.constraint(q, v, t),
          .after = {q, v, lambda, rho == 1.0 ? Vector{} : after}};
}

std::optional<Expr> GeneralizedAlpha::discrete_energy(const System& s, const State& at,
                                                      const Expr& h) const {
  if (rho != 1.0 || !is_conservative_with_constant_mass(s) || !has_quadratic_potential(s))
    return std::nullopt;
  Vector change = s.unconstrained_acceleration(at.q, at.v, at.t);
  if (!at.lambda.empty()) change = change + s.multiplier_directions(at.q, at.v, at.t) * at.lambda;
  const Vector q = at.q + 0.5 * h * at.v, v = at.v + 0.5 * h * change;
  return s.energy(q, v, at.t);
}

}  // namespace dalembert
