#include "dalembert/method/energy/gradient_methods.hpp"

#include "dalembert/expression/linear_solve.hpp"
#include "energy_blocks.hpp"
#include "gradient_words.hpp"
#include "mechanics/new_symbols.hpp"
#include "reduced_system.hpp"
#include "step_on_frame.hpp"
#include "step_on_groups.hpp"

namespace dalembert {
namespace {

bool separates(const DiscreteDerivative& method) {
  return separates(method.gradient) || method.integrals == DiscreteDerivative::Integrals::separate;
}

/// Methods that impose the constraint between the nodes: exact energy, constraint only near zero at
/// the nodes.
Facts midpoint_facts(GradientKind gradient, int multiplier_order) {
  const bool symmetric = is_symmetric(gradient);
  return {
      .order = symmetric ? 2 : 1,
      .multiplier_order = multiplier_order,
      .symmetric = symmetric,
      .reversible = symmetric,
      .exact_energy = true,
      .keeps_fibration = separates(gradient),
      // The new velocity leaves the constraint at second order; every second step leads it back.
      .local_order = 2};
}

}  // namespace

MethodPage<DiscreteDerivative> DiscreteDerivative::page() {
  return {.name = "discrete-derivative",
          .aliases = {{"energy-momentum", "Betsch2006"}, {"discrete-null-space", "Betsch2006"}},
          .title = "discrete derivative of the potential",
          .use = {"the energy must be exact, masses are constant, and steps shall be simple",
                  "the constraints must hold at the nodes: the new velocity satisfies them only "
                  "nearly; reduced-gradient keeps both"},
          .description =
              "Keeps the energy to round-off. The constraint holds for the mean velocity, so the "
              "new velocity satisfies it only nearly. Constraints on positions hold to round-off, "
              "their discrete gradients do no work. Driver and passenger of a coupled system "
              "keep their energies separately with the mean-value gradient, and with integrals = "
              "separate.",
          .source =
              "ModinVerdier2020, A.3; Gonzalez1996; Betsch2006; with constraints on positions "
              "Gonzalez1999",
          .formula = {"vm = (v0 + v1)/2, qm = q0 + h/2*vm, q1 = q0 + h*vm",
                      "0 = M (v1 - v0) + h*(g - A(qm)^T lambda), 0 = A(qm) vm + b(qm)",
                      "g a discrete gradient of V from q0 to q1: g.(q1 - q0) = V(q1) - V(q0)"},
          .facts = &DiscreteDerivative::facts,
          .requirements = Requirements{.lagrangian = LagrangianKind::constant_mass,
                                       .constraints = ConstraintKind::affine,
                                       .handles_time = true,
                                       .handles_force = true,
                                       .handles_holonomic = true,
                                       .handles_reactions = true},
          .equations = &DiscreteDerivative::equations,
          .options = {{"gradient", &DiscreteDerivative::gradient,
                       "discrete gradient of the potential", gradient_words()},
                      {"integrals", &DiscreteDerivative::integrals,
                       "one quotient of gonzalez for the whole potential, or one for each block of "
                       "coordinates that neither the potential, nor the mass, nor a constraint "
                       "couples to others, whose energies are then kept separately, as the other "
                       "gradients do",
                       Words<Integrals>{{Integrals::together, "together"},
                                        {Integrals::separate, "separate"}}}}};
}

Facts DiscreteDerivative::facts() const {
  Facts facts = midpoint_facts(gradient, 1);
  facts.keeps_fibration = separates(*this);
  return facts;
}

Equations DiscreteDerivative::equations(const System& s, const State& a, Unknowns& u,
                                        const Expr& h) const {
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector mean = a.v + 0.5 * (v - a.v), q = a.q + h * mean, qm = a.q + 0.5 * h * mean;
  const Vector base = s.symbols(h).q;
  const Expr tm = a.t + 0.5 * h;
  const bool by_blocks = gradient == GradientKind::gonzalez && integrals == Integrals::separate;
  const Expr potential = s.potential(base, tm);
  const Vector slope = by_blocks ? gonzalez_by_blocks(energy_blocks(s), potential, base, a.q, q)
                                 : discrete_gradient(gradient, potential, base, a.q, q);
  const std::size_t free = s.nonholonomic_count(), positions = s.holonomic_count();
  Vector reaction, distance, conditions = s.constraint(qm, mean, tm);
  if (positions == 0 || !s.traits().ideal) {
    reaction = s.constraint_force(qm, mean, tm, lambda);
    distance = s.holonomic(q, a.t + h);
  } else {
    const Vector on_velocities = concatenate({slice(lambda, 0, free), zeros(positions)});
    reaction = s.constraint_force(qm, mean, tm, on_velocities);
    // Discrete gradients of constraints on positions: what they push does no work in the step.
    const Vector distances = s.holonomic(base, tm);
    distance = s.holonomic(q, a.t + h);
    for (std::size_t i = 0; i < positions; ++i) {
      const Vector normal = discrete_gradient(gradient, distances[i], base, a.q, q);
      reaction = reaction + lambda[free + i] * normal;
    }
  }
  if (positions > 0) {
    const Vector path = Expr(1.0) / h * distance;
    conditions = concatenate({slice(conditions, 0, free), path});
  }
  const Vector impulse = h * (slope - (s.force(qm, mean, tm) + reaction)), change = v - a.v;
  return {.zero = concatenate({s.mass(qm) * change + impulse, conditions}),
          .constraint = {},
          .after = {q, v, lambda}};
}

MethodPage<GonzalezFull> GonzalezFull::page() {
  return {.name = "gonzalez-full",
          .title = "discrete gradient on T*Q with the constraint at the midpoint",
          .use = {"discrete gradients on the full phase space are compared with those on the "
                  "constraint set",
                  "the constraints must hold: the velocity leaves them by a bounded amount; "
                  "reduced-gradient keeps both"},
          .description =
              "Keeps the energy to round-off; the velocity leaves the constraint by a bounded "
              "amount.",
          .source = "Celledoni2019, Eq. (15)",
          .formula = {"p = M(q) v, H = p.M(q)^-1 p/2 + V(q), qm = (q0 + q1)/2",
                      "(g_q, g_p) a discrete gradient of H from (q0, p0) to (q1, p1)",
                      "0 = q1 - q0 - h*g_p, 0 = p1 - p0 + h*(g_q - A(qm)^T lambda), 0 = A(qm) g_p"},
          .facts = &GonzalezFull::facts,
          .requirements = energy_requirements(),
          .equations = &GonzalezFull::equations,
          .options = {{"gradient", &GonzalezFull::gradient,
                       "discrete gradient of the energy on T*Q", gradient_words()}}};
}

Facts GonzalezFull::facts() const {
  Facts facts = midpoint_facts(gradient, is_symmetric(gradient) ? 1 : 0);
  facts.local_order = facts.symmetric ? 2 : 1;
  return facts;
}

Equations GonzalezFull::equations(const System& s, const State& a, Unknowns& u,
                                  const Expr& h) const {
  const std::size_t n = s.dof();
  const Vector base = s.symbols(h).q;
  const Vector momenta = new_symbols(h.graph(), "p", n);
  const Expr potential = s.potential(base);
  const Expr energy = 0.5 * dot(momenta, solve_linear(s.mass(base), momenta)) + potential;
  const Vector p0 = s.mass(a.q) * a.v;
  const Vector q = u.vector("q", a.q), p = u.vector("p", p0),
               lambda = u.multiplier("lambda", a.lambda);
  const Vector g = discrete_gradient(gradient, energy, concatenate({base, momenta}),
                                     concatenate({a.q, p0}), concatenate({q, p}));
  const Vector slope = slice(g, 0, n), velocity = slice(g, n, n), qm = a.q + 0.5 * (q - a.q);
  // The change of the velocity, and not M^-1 p: rounding of M and of its inverse would multiply the
  // velocity by the same factor next to 1 in every step.
  const Vector change = p - s.mass(q) * a.v;
  const Vector v = a.v + solve_linear(s.mass(q), change);
  const Vector path = h * velocity;
  const Vector moved = (q - a.q) - path, reaction = h * s.constraint_force(qm, lambda),
               kick = h * slope;
  return {
      .zero = concatenate({moved, (p - p0) + kick - reaction, s.constraint_matrix(qm) * velocity}),
      .constraint = {},
      .after = {q, v, lambda}};
}

namespace {

Words<GradientKind> with_bilinear(Words<GradientKind> words) {
  words.emplace_back(GradientKind::bilinear, "bilinear");
  return words;
}

}  // namespace

MethodPage<ReducedGradient> ReducedGradient::page() {
  return {
      .name = "reduced-gradient",
      .aliases = {{"energy-momentum-hamel", "BallZenkov2015", {{"frame", "given"}}}},
      .title = "discrete gradient on D*",
      .use = {"energy and linear constraints must both be exact, at order 2, also on Lie groups",
              "a tolerance is all that matters: gauss takes a fraction of the work; with "
              "forces, explicit time or constraints on positions it is refused"},
      .description =
          "A discrete gradient of the energy in positions and the momenta of a frame of the "
          "constraint distribution: energy and constraint hold to round-off. On Lie groups it "
          "steps "
          "from the middle of the step by the exponential or Cayley's map, without coordinates.",
      .source =
          "Celledoni2019, Sects. 2 and 3; on groups Sect. 5 (i); the bilinear gradient is ours",
      .formula =
          {"zeta = (q, rho), rho = X(q)^T p, y = (X^T M X)^-1 rho, v = X y, H = rho.y/2 + "
           "V(q)",
           "Pi = [[0, X], [-X^T, B]], B_ab = sum_ij (dX_a^j/dq^i X_b^i - dX_b^j/dq^i X_a^i) "
           "p_j",
           "0 = zeta1 - zeta0 - h*Pi((zeta0 + zeta1)/2) g(zeta0, zeta1)",
           "g a discrete gradient of H; X a frame of D",
           "on groups: gbar = g0 tau(h*xi/2), g1 = gbar tau(h*xi/2), rhobar the mean of the "
           "momenta; xi = X(gbar) y, 0 = rho1 - rho0 - h*(B(gbar) y - X(gbar)^T alpha), "
           "B_ab = -(M X y).[X_a, X_b]",
           "mean value: y the mean of dH/drho and alpha that of S^T dH/dg along gbar "
           "tau(s*h*xi), |s| <= 1/2, with S = 1 for the exponential, 1/(1 + |s*h*xi|^2/4) "
           "for Cayley's map of rotations",
           "gonzalez: dH/dg and dH/drho at (gbar, rhobar); what the potential lacks to V1 - "
           "V0 is added "
           "to alpha along xi, what the kinetic energy lacks along (h*xi, rho1 - rho0)",
           "bilinear, in the components of the velocity: y = (y0 + y1)/2, v = X(qm) y, q1 - q0 "
           "= h*v, qm the middle; 0 = rho1 - rho0 - h*f + k*G(qm) y",
           "with f = B y - X^T d(V - "
           "y0.G y1/2)/dq, k = (h*y.f + (y1.rho0 - y0.rho1)/2 + V1 - V0)/(y.G(qm) y)",
           "with finite differences: (X_a(q + h e_i) - X_a(q - h e_i))/(2 h) for "
           "dX_a/dq^i in B and in dH at the middle of Gonzalez' formula"},
      .facts = &ReducedGradient::facts,
      .requirements = &ReducedGradient::requirements,
      .equations = &ReducedGradient::equations,
      .options = {{"gradient", &ReducedGradient::gradient,
                   "discrete gradient of the reduced energy; bilinear: in the components of the "
                   "velocity, by Broyden's method, with little code and for large systems; a long "
                   "step may fail where those of the others do not",
                   with_bilinear(gradient_words())},
                  {"frame", &ReducedGradient::frame, frame_sentence, frame_words()},
                  {"derivative", &ReducedGradient::derivative,
                   "derivatives of the frame: exact, or central differences with the step as "
                   "increment (with gradient = gonzalez)",
                   Words<Derivative>{{Derivative::exact, "exact"},
                                     {Derivative::finite_difference, "finite-difference"}}},
                  {"map", &ReducedGradient::map, "tau, by which a step moves on groups",
                   Words<Retraction>{{Retraction::exponential, "exponential"},
                                     {Retraction::cayley, "cayley"}}}},
      .conflict = &ReducedGradient::conflict,
      .misfit = &ReducedGradient::misfit};
}

std::optional<std::string> ReducedGradient::conflict() const {
  if (derivative == Derivative::exact || gradient == GradientKind::gonzalez) return std::nullopt;
  return "takes finite differences of the frame with gradient = \"gonzalez\" only, whose "
         "correction "
         "keeps the energy exact with any midpoint gradient";
}

Requirements ReducedGradient::requirements() const {
  Requirements requirements = reduced_requirements();
  const bool increments = gradient == GradientKind::coordinate_increment ||
                          gradient == GradientKind::symmetric_increment;
  const bool bilinear = gradient == GradientKind::bilinear;
  requirements.handles_groups = !increments && !bilinear && derivative == Derivative::exact;
  requirements.handles_skew_gradient = !bilinear;
  requirements.takes_charts = true;
  requirements.on_groups =
      bilinear ? "gradient = \"gonzalez\" or \"mean-value\" does not need them, and the "
                 "method \"chart\" with this one as base takes its steps in coordinates"
      : increments
          ? "increments of one coordinate after the other need them; gradient = "
            "\"gonzalez\" or \"mean-value\" does not, and the method \"chart\" with this "
            "one as base takes its steps in coordinates"
          : "finite differences of the frame need them; derivative = \"exact\" does not, and "
            "the method \"chart\" with this one as base takes its steps in coordinates";
  return requirements;
}

Facts ReducedGradient::facts() const {
  // The sign vector of a QR frame is taken at the start of the step, which no symmetric map could
  // know; away from its jumps the map is symmetric all the same.
  const bool symmetric = is_symmetric(gradient);
  return {.order = symmetric ? 2 : 1,
          .multiplier_order = symmetric ? 2 : 1,
          .continuous_multiplier = true,
          .symmetric = symmetric,
          .reversible = symmetric,
          .maps_constraint_set = true,
          .exact_energy = true,
          // The kinetic energy of passengers contains the drivers, unless the mass matrix is a
          // multiple of one and the frame orthonormal.
          .keeps_fibration = false};
}

std::optional<std::string> ReducedGradient::misfit(const System& system) const {
  if (system.is_skew_gradient()) return std::nullopt;
  return Frame::misfit(system, frame);
}

Equations ReducedGradient::equations(const System& s, const State& a, Unknowns& u,
                                     const Expr& h) const {
  if (gradient == GradientKind::bilinear) return bilinear_step(s, frame, a, u, h);
  if (s.traits().has_groups) return StepOnGroups(s, frame, map, a, u).equations(gradient, h);
  const ReducedSystem reduced(s, frame, a.q);
  const Vector before = reduced.point(a.q, a.v), zeta = u.vector("zeta", before);
  const Vector change = zeta - before, middle = before + 0.5 * change;
  const bool by_differences = derivative == Derivative::finite_difference && reduced.has_frame();
  const Vector g = by_differences ? reduced.gonzalez_gradient(
                                        before, change, reduced.gradient_by_differences(middle, h))
                                  : reduced.discrete_gradient(gradient, before, change);
  const Expr increment = by_differences ? h : Expr(0.0);
  const Vector dv = reduced.velocity_change(before, change);
  return {.zero = change - h * reduced.apply_structure(middle, g, increment),
          .constraint = {},
          .after = {reduced.position(zeta), reduced.velocity(zeta)},
          .velocity_change = dv,
          .velocity_rest = reduced.velocity_rest(before, change, a.v, dv)};
}

}  // namespace dalembert
