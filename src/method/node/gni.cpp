#include "dalembert/method/node/gni.hpp"

#include "dalembert/expression/linear_solve.hpp"
#include "method/energy/discrete_energy_terms.hpp"
#include "method/energy/gradient_words.hpp"
#include "method/energy/potential_slope.hpp"
#include "method/stage/retraction_words.hpp"
#include "node_momentum.hpp"

namespace dalembert {
namespace {

bool has_constant_mass(const System& s) {
  return s.traits().lagrangian == LagrangianKind::constant_mass;
}

}  // namespace

MethodPage<Gni> Gni::page() {
  using Kind = Lagrangian;
  return {
      .name = "gni",
      .title = "geometric nonholonomic integrator",
      .use = {"leapfrog would be right, but the mass depends on the configuration, or the "
              "coordinates are elements of Lie groups",
              "the motion settles, is damped or coasts straight: errors of the multiplier that "
              "it carries grow there"},
      .description =
          "Momenta that a discrete Lagrangian brings to a node are reflected at the constraints "
          "there. On R^n, with a discrete gradient of the potential (the default) and constant "
          "mass, every step keeps a positive energy for every potential, E + h^2/8 lambda.C lambda "
          "with C = A M^-1 A^T, so that energy and multiplier stay bounded for all time where the "
          "potential is bounded below and the constraints stay independent; with the mean-value "
          "gradient drivers and passengers have one each.",
      .source =
          "FerraroIglesiasMartin2008; FerraroJimenezMartin2015; the discrete gradient is this "
          "library's",
      .formula =
          {"p- = -D1 Ld(q0, q1), p+ = D2 Ld(q0, q1), w = (q1 - q0)/h, qm = (q0 + q1)/2",
           "0 = p- - (M v0 + h/2*A(q0)^T lambda0)",
           "0 = p+ - (M v1 - h/2*A(q1)^T lambda1), 0 = A(q1) v1 + b(q1)",
           "gradient: p- = M w + h/2*g, p+ = M w - h/2*g, g.(q1 - q0) = V(q1) - V(q0)",
           "midpoint: Ld = h*L(qm, w); symmetric: Ld = h/2*(L(q0, w) + L(q1, w))",
           "euler-a: Ld = h*L(q0, w); euler-b: Ld = h*L(q1, w)",
           "on groups: q1 = q0 tau(h*w), for gradient and midpoint q1 = qm tau(h*w/2) with qm = q0 "
           "tau(h*w/2); p- and p+ in left trivialisation"},
      .facts = &Gni::facts,
      .requirements = &Gni::requirements,
      .equations = &Gni::equations,
      .volume = &Gni::volume,
      .discrete_energy = &Gni::discrete_energy,
      .options = {{"lagrangian", &Gni::lagrangian, "the discrete Lagrangian",
                   Words<Kind>{{Kind::gradient, "gradient"},
                               {Kind::midpoint, "midpoint"},
                               {Kind::symmetric, "symmetric"},
                               {Kind::euler_a, "euler-a"},
                               {Kind::euler_b, "euler-b"}}},
                  {"gradient", &Gni::gradient,
                   "discrete gradient of the potential, for lagrangian = gradient",
                   gradient_words()},
                  {"retraction", &Gni::retraction, "by which a step moves on groups",
                   retraction_words()}},
      .misfit = &Gni::misfit,
      .warning = &Gni::warning};
}

Facts Gni::facts() const {
  const bool by_gradient = lagrangian == Lagrangian::gradient;
  const bool symmetric =
      by_gradient ? is_symmetric(gradient)
                  : lagrangian == Lagrangian::midpoint || lagrangian == Lagrangian::symmetric;
  Facts facts{.order = symmetric ? 2 : 1,
              .multiplier_order = symmetric ? 2 : 1,
              .symmetric = symmetric,
              .reversible = symmetric,
              .maps_constraint_set = true,
              .carries_multiplier = true,
              .multiplier_growth = 1,
              .keeps_fibration = !by_gradient || separates(gradient),
              .passenger_volume = by_gradient ? PassengerVolume::every_step_of_springs
                                              : PassengerVolume::every_step};
  if (!by_gradient) facts.symplectic = LagrangianKind::general;
  return facts;
}

Requirements Gni::requirements() const {
  const bool by_gradient = lagrangian == Lagrangian::gradient;
  return {.lagrangian = by_gradient ? LagrangianKind::configuration_mass : LagrangianKind::general,
          .constraints = ConstraintKind::affine,
          .handles_time = true,
          .handles_force = true,
          .handles_groups = true,
          .reason = by_gradient ? "a discrete gradient is taken of a potential, and momenta are "
                                  "reflected at constraints on velocities; lagrangian = midpoint "
                                  "takes any Lagrangian"
                                : "momenta are reflected at constraints on velocities"};
}

std::optional<std::string> Gni::misfit(const System& system) const {
  if (lagrangian != Lagrangian::gradient || !system.traits().has_groups) return std::nullopt;
  if (gradient == GradientKind::gonzalez || gradient == GradientKind::mean_value)
    return std::nullopt;
  return "method \"gni\" cannot be used with this gradient on system \"" + system.name() +
         "\": increments of one coordinate after the other need coordinates, and this system is "
         "one on " +
         system.configuration().text() + "; use gradient = \"mean-value\" or \"gonzalez\"";
}

std::optional<std::string> Gni::warning() const {
  if (lagrangian != Lagrangian::euler_a && lagrangian != Lagrangian::euler_b) return std::nullopt;
  return "gni with a one-sided discrete Lagrangian has order 1, and its energy leaves every bound "
         "where the potential is not constant; lagrangian = gradient keeps one";
}

/// A discrete Lagrangian between two nodes: dL/dv and the impulses at both, so that p- = dL/dv -
/// first and p+ = dL/dv + last where nothing turns.
struct Gni::Between {
  Vector node;      ///< the new one
  Vector momentum;  ///< dL/dv, between the nodes
  Vector first, last;
  /// On groups: where dL/dv is between the nodes (from the second, as a part of the step), and the
  /// force there.
  double part = 0.0;
  Vector force = {};
};

Gni::Between Gni::through_middle(const System& s, const State& a, const Vector& w,
                                 const Expr& h) const {
  const Expr tm = a.t + 0.5 * h;
  const Vector path = h * w;
  const Segment step = segment(s, retraction, a.q, path);
  const Vector external = s.force(step.middle, w, tm);
  Vector inner = zeros(s.dof());
  if (lagrangian == Lagrangian::midpoint) {
    inner = s.lagrangian_gradient(step.middle, w, tm);
  } else {
    if (!has_constant_mass(s)) {
      const Vector potential = s.potential_gradient(step.middle, tm);
      inner = s.lagrangian_gradient(step.middle, w, tm) + potential;
    }
    inner = inner - potential_slope(s, gradient, step, tm);
  }
  const Vector active = inner + external, momentum = s.momentum(step.middle, w, tm);
  if (s.traits().has_groups)
    return {step.to, momentum, zeros(s.dof()), zeros(s.dof()), 0.5, active};
  const Vector impulse = 0.5 * h * active;
  return {step.to, momentum, impulse, impulse};
}

Gni::Between Gni::from_ends(const System& s, const State& a, const Vector& w, const Expr& h) const {
  // L_d = h (c0 L(q0, w) + c1 L(q1, w)).
  const double c0 = lagrangian == Lagrangian::euler_a   ? 1.0
                    : lagrangian == Lagrangian::euler_b ? 0.0
                                                        : 0.5;
  const double c1 = 1.0 - c0;
  const Expr t = a.t + h;
  const Vector path = h * w, q = s.configuration().move(retraction, a.q, path);
  const auto impulse = [&](double weight, const Vector& place, const Expr& time) {
    const Vector inner = s.lagrangian_gradient(place, w, time), external = s.force(place, w, time);
    return Expr(weight) * h * (inner + external);
  };
  const Vector first = impulse(c0, a.q, a.t), last = impulse(c1, q, t);
  const Vector at_first = s.momentum(a.q, w, a.t), share = Expr(c1) * s.momentum(q, w, t);
  return {q, Expr(c0) * at_first + share, first, last, 1.0, zeros(s.dof())};
}

Equations Gni::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const Vector w = u.vector("w", a.v);
  const bool middle = lagrangian == Lagrangian::gradient || lagrangian == Lagrangian::midpoint;
  const Between between = middle ? through_middle(s, a, w, h) : from_ends(s, a, w, h);
  const Vector v = u.vector("v", w), lambda = u.multiplier("lambda", a.lambda);
  const State end{between.node, v, lambda, {}, a.t + h};
  const Vector before = s.constraint_force(a.q, a.v, a.t, a.lambda),
               after = s.constraint_force(end.q, end.v, end.t, lambda);
  const Vector leaving = between.first + 0.5 * h * before,
               arriving = between.last + 0.5 * h * after;
  Vector zero;
  if (s.traits().has_groups) {
    const NodeMomentum node(s.configuration(), retraction, between.part, w, between.momentum,
                            between.force, h, u, "m");
    const Vector p0 = s.momentum(a.q, a.v, a.t), p1 = s.momentum(end.q, end.v, end.t);
    zero = concatenate(
        {node.zero(), (node.arriving() - p0) - leaving, (p1 - node.leaving()) - arriving});
  } else if (has_constant_mass(s)) {
    const Matrix mass = s.mass(end.q);
    const Vector change = w - a.v, rest = v - w;
    zero = concatenate({mass * change - leaving, mass * rest - arriving});
  } else {
    const Vector p0 = s.momentum(a.q, a.v, a.t), p1 = s.momentum(end.q, end.v, end.t);
    zero = concatenate({(between.momentum - p0) - leaving, (p1 - between.momentum) - arriving});
  }
  return {
      .zero = zero, .constraint = s.constraint(end.q, end.v, end.t), .after = {end.q, v, lambda}};
}

std::optional<VolumeFormula> Gni::volume(const System& /*s*/, const State& /*before*/,
                                         const State& /*after*/, const Expr& /*h*/) const {
  // Between the nodes (q, p) moves symplectically; a reflection keeps volumes. A discrete gradient
  // is that of a discrete Lagrangian where the potential is quadratic.
  if (lagrangian != Lagrangian::gradient) return VolumeFormula{};
  return VolumeFormula{{}, VolumeFormula::Potential::quadratic};
}

std::optional<Expr> Gni::discrete_energy(const System& s, const State& at, const Expr& h) const {
  const bool keeps = lagrangian == Lagrangian::gradient ||
                     (lagrangian == Lagrangian::midpoint && has_quadratic_potential(s));
  if (!keeps || !is_conservative_with_constant_mass(s)) return std::nullopt;
  const Vector reaction = s.constraint_force(at.q, at.v, at.t, at.lambda);
  const Expr square = dot(reaction, solve_linear(s.mass(at.q), reaction));
  return s.energy(at.q, at.v, at.t) + 0.125 * h * h * square;
}

}  // namespace dalembert
