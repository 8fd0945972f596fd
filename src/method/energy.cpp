#include "dalembert/method/energy.hpp"

#include <algorithm>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/difference/exact_change.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"
#include "mechanics/new_symbols.hpp"
#include "method/stage/weighted_sum.hpp"

namespace dalembert {
namespace {

Words<GradientKind> gradient_words() {
  return {{GradientKind::gonzalez, "gonzalez"},
          {GradientKind::mean_value, "mean-value"},
          {GradientKind::coordinate_increment, "coordinate-increment"},
          {GradientKind::symmetric_increment, "symmetric-increment"}};
}

Words<FrameKind> frame_words() {
  return {{FrameKind::qr, "qr"}, {FrameKind::given, "given"}, {FrameKind::adapted, "adapted"}};
}

/// Of a rule that is exact to round-off for steps that resolve a function.
constexpr int nodes_beside_stages = 7;

/// Why the methods on D* and T*Q ask for more than others.
constexpr const char* energy_reason =
    "it is built on an energy that the exact motion keeps, and on the equations in a frame of a "
    "linear constraint distribution";

constexpr const char* in_a_chart =
    "the method \"chart\" with this one as base takes its steps in coordinates there";

bool is_symmetric(GradientKind gradient) { return gradient != GradientKind::coordinate_increment; }

/// The reduced equations zeta' = Pi(zeta) dH(zeta) on D*, zeta = (q, rho). Source: [Celledoni2019],
/// Eqs. (11)-(13).
class ReducedSystem {
 public:
  ReducedSystem(const System& system, FrameKind frame, const Vector& reference) : system_(system) {
    if (system.is_skew_gradient()) {
      variables_ = system.symbols(reference).q;
      energy_ = system.energy(variables_, {});
      return;
    }
    frame_.emplace(system, frame, reference);
    const GraphPointer graph = system.symbols(reference).t.graph();
    const Vector rho = new_symbols(graph, "rho", frame_->size());
    // Symbols of its own: the signs of a QR frame may be written in the system's, and must stay.
    const Vector q = new_symbols(graph, "q", system.dof());
    variables_ = concatenate({q, rho});
    const Expr kinetic = 0.5 * dot(rho, frame_->components_of_momentum(q, rho));
    energy_ = kinetic + system.potential(q);
  }

  const Vector& variables() const { return variables_; }
  const Expr& energy() const { return energy_; }
  std::size_t dof() const { return system_.dof(); }
  Vector point(const Vector& q, const Vector& v) const {
    if (!frame_) return q;
    const Vector p = system_.mass(q) * v;
    return concatenate({q, transpose(frame_->at(q)) * p});
  }
  Vector position(const Vector& zeta) const { return slice(zeta, 0, dof()); }
  Vector momenta(const Vector& zeta) const { return slice(zeta, dof(), frame_->size()); }
  Vector velocity(const Vector& zeta) const {
    if (!frame_) return {};
    const Vector q = position(zeta);
    const Vector y = frame_->components_of_momentum(q, momenta(zeta));
    return frame_->at(q) * y;
  }
  /// velocity(zeta + change) - velocity(zeta) = dX y1 + X0 dy with G1 dy = drho - dG y0.
  Vector velocity_change(const Vector& zeta, const Vector& change) const {
    if (!frame_) return {};
    const Vector symbols = position(variables_), q = position(zeta), dq = position(change);
    const Matrix turned = exact_change(frame_->at(symbols), symbols, q, dq);
    const Matrix stretched = exact_change(frame_->metric(symbols), symbols, q, dq);
    const Vector y = frame_->components_of_momentum(q, momenta(zeta)), pull = stretched * y;
    const Vector rest = momenta(change) - pull;
    const Vector dy = solve_linear(frame_->metric(q) + stretched, rest);
    const Vector along = frame_->at(q) * dy;
    return turned * (y + dy) + along;
  }
  /// What rounding has left in v and in its change: back onto the constraint and to the energy.
  Vector velocity_rest(const Vector& zeta, const Vector& change, const Vector& v,
                       const Vector& dv) const {
    if (!frame_) return {};
    const Vector back = to_constraint(position(zeta), v);
    return back + to_energy(zeta, change, v, back, dv);
  }
  bool has_frame() const { return frame_.has_value(); }
  /// dH(zeta) = (dV - v.dM v/2 - p.dX y, y), with central differences of the frame X.
  Vector gradient_by_differences(const Vector& zeta, const Expr& increment) const {
    const Vector q = position(zeta), y = frame_->components_of_momentum(q, momenta(zeta));
    const Vector v = frame_->at(q) * y, p = system_.mass(q) * v;
    Vector slope = -system_.lagrangian_gradient(q, v);
    for (std::size_t i = 0; i < dof(); ++i) {
      Vector axis = zeros(dof());
      axis[i] = 1.0;
      slope[i] -= dot(p, frame_->derivative_along(q, axis, increment) * y);
    }
    return concatenate({slope, y});
  }
  /// Pi(zeta) g; frame derivatives by central differences where `increment` is not zero.
  Vector apply_structure(const Vector& zeta, const Vector& g, const Expr& increment) const {
    if (!frame_) return system_.structure(zeta) * g;
    const Vector q = position(zeta);
    const Matrix x = frame_->at(q);
    const Vector v = velocity(zeta), p = system_.mass(q) * v;
    const Vector slope = slice(g, 0, dof()), y = slice(g, dof(), frame_->size());
    const Vector rate = x * y, force = transpose(x) * slope;
    return concatenate({rate, frame_->bracket(q, p, increment) * y - force});
  }

 private:
  /// velocity(point(q, v)) - v, which is round-off: -M^-1 A^T (A M^-1 A^T)^-1 A v.
  Vector to_constraint(const Vector& q, const Vector& v) const {
    if (system_.constraint_count() == 0) return zeros(dof());
    const Matrix a = system_.constraint_matrix(q), directions = system_.multiplier_directions(q);
    const Vector beside = a * v;
    return -(directions * solve_linear(a * directions, beside));
  }
  /// Along the new velocity v1, what dT = dv.M1 (u + dv/2) + u.dM u/2 lacks to -dV, u = v + back.
  /// Not all of it where the motion turns round: there v1 is no direction.
  Vector to_energy(const Vector& zeta, const Vector& change, const Vector& v, const Vector& back,
                   const Vector& dv) const {
    const Vector symbols = position(variables_), q = position(zeta), dq = position(change);
    const Matrix mass = system_.mass(symbols);
    const Vector potential{system_.potential(symbols)};
    // The change of a sine is rounded as much as the change of the velocity.
    for (const Expr& function : concatenate({potential, mass.entries()}))
      if (polynomial_degree(function, symbols) == not_polynomial) return zeros(dof());
    const Matrix dm = exact_change(mass, symbols, q, dq), m1 = system_.mass(q) + dm;
    const Vector middle = v + 0.5 * dv, ahead = v + dv, kick = m1 * dv, pull = dm * v,
                 momentum = m1 * ahead;
    const Expr by_mass = 0.5 * dot(v, pull), by_change = dot(middle, kick),
               by_back = dot(back, kick + pull);
    const Expr by_motion = by_mass + by_change + by_back;
    const Expr error = exact_change(potential, symbols, q, dq)[0] + by_motion;
    // At rest nothing is divided by zero.
    constexpr double least = 1e-300;
    const Expr turning = dot(dv, kick) + least, size = dot(ahead, momentum) + turning;
    return (-(error / size)) * ahead;
  }

  System system_;
  std::optional<Frame> frame_;  // none in skew-gradient form
  Vector variables_;
  Expr energy_;
};

/// Whether a discrete gradient of a sum of functions of different variables is the sum of theirs.
bool separates(GradientKind gradient) { return gradient != GradientKind::gonzalez; }

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

Requirements reduced_requirements() {
  return {.lagrangian = LagrangianKind::configuration_mass,
          .constraints = ConstraintKind::linear,
          .handles_skew_gradient = true,
          .reason = energy_reason,
          .on_groups = in_a_chart};
}

}  // namespace

MethodPage<DiscreteDerivative> DiscreteDerivative::page() {
  return {.name = "discrete-derivative",
          .title = "discrete derivative of the potential",
          .description =
              "Keeps the energy to round-off. The constraint holds for the mean velocity, so the "
              "new velocity satisfies it only nearly. With the mean-value gradient driver and "
              "passenger of a coupled system keep their energies separately.",
          .source = "ModinVerdier2020, A.3; Gonzalez1996",
          .facts = &DiscreteDerivative::facts,
          .requirements = Requirements{.lagrangian = LagrangianKind::constant_mass,
                                       .constraints = ConstraintKind::affine,
                                       .handles_time = true,
                                       .handles_force = true},
          .equations = &DiscreteDerivative::equations,
          .options = {{"gradient", &DiscreteDerivative::gradient,
                       "discrete gradient of the potential", gradient_words()}}};
}

Facts DiscreteDerivative::facts() const { return midpoint_facts(gradient, 1); }

Equations DiscreteDerivative::equations(const System& s, const State& a, Unknowns& u,
                                        const Expr& h) const {
  const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
  const Vector mean = a.v + 0.5 * (v - a.v), q = a.q + h * mean, qm = a.q + 0.5 * h * mean;
  const Vector base = s.symbols(h).q;
  const Expr tm = a.t + 0.5 * h;
  const Vector slope = discrete_gradient(gradient, s.potential(base, tm), base, a.q, q);
  const Vector reaction = s.constraint_force(qm, mean, tm, lambda);
  const Vector impulse = h * (slope - (s.force(qm, mean, tm) + reaction)), change = v - a.v;
  return {.zero = concatenate({s.mass(qm) * change + impulse, s.constraint(qm, mean, tm)}),
          .constraint = {},
          .after = {q, v, lambda}};
}

MethodPage<GonzalezFull> GonzalezFull::page() {
  return {.name = "gonzalez-full",
          .title = "discrete gradient on T*Q with the constraint at the midpoint",
          .description =
              "Keeps the energy to round-off; the velocity leaves the constraint by a bounded "
              "amount.",
          .source = "Celledoni2019, Eq. (15)",
          .facts = &GonzalezFull::facts,
          .requirements = Requirements{.lagrangian = LagrangianKind::configuration_mass,
                                       .constraints = ConstraintKind::linear,
                                       .reason = energy_reason,
                                       .on_groups = in_a_chart},
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

MethodPage<ReducedGradient> ReducedGradient::page() {
  return {
      .name = "reduced-gradient",
      .title = "discrete gradient on D*",
      .description =
          "A discrete gradient of the energy in positions and the momenta of a frame of the "
          "constraint distribution: energy and constraint hold to round-off.",
      .source = "Celledoni2019, Sects. 2 and 3",
      .formula = {"zeta = (q, rho), rho = X(q)^T p, y = (X^T M X)^-1 rho, v = X y, H = rho.y/2 + "
                  "V(q)",
                  "Pi = [[0, X], [-X^T, B]], B_ab = sum_ij (dX_a^j/dq^i X_b^i - dX_b^j/dq^i X_a^i) "
                  "p_j",
                  "0 = zeta1 - zeta0 - h*Pi((zeta0 + zeta1)/2) g(zeta0, zeta1)",
                  "g a discrete gradient of H; X the given frame of D, or the last columns of Q in "
                  "A^T = Q R",
                  "with finite differences: (X_a(q + h e_i) - X_a(q - h e_i))/(2 h) for "
                  "dX_a/dq^i in B and in dH at the middle of Gonzalez' formula"},
      .facts = &ReducedGradient::facts,
      .requirements = reduced_requirements(),
      .equations = &ReducedGradient::equations,
      .options = {{"gradient", &ReducedGradient::gradient,
                   "discrete gradient of the reduced energy", gradient_words()},
                  {"frame", &ReducedGradient::frame, "frame of the constraint distribution",
                   frame_words()},
                  {"derivative", &ReducedGradient::derivative,
                   "derivatives of the frame: exact, or central differences with the step as "
                   "increment (with gradient = gonzalez)",
                   Words<Derivative>{{Derivative::exact, "exact"},
                                     {Derivative::finite_difference, "finite-difference"}}}},
      .conflict = &ReducedGradient::conflict,
      .misfit = &ReducedGradient::misfit};
}

std::optional<std::string> ReducedGradient::conflict() const {
  if (derivative == Derivative::exact || gradient == GradientKind::gonzalez) return std::nullopt;
  return "takes finite differences of the frame with gradient = \"gonzalez\" only, whose "
         "correction "
         "keeps the energy exact with any midpoint gradient";
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
  const ReducedSystem reduced(s, frame, a.q);
  const Vector before = reduced.point(a.q, a.v), zeta = u.vector("zeta", before);
  const Vector change = zeta - before, middle = before + 0.5 * change;
  const bool by_differences = derivative == Derivative::finite_difference && reduced.has_frame();
  const Vector g =
      by_differences
          ? gonzalez_gradient(reduced.energy(), reduced.variables(), before, zeta,
                              reduced.gradient_by_differences(middle, h))
          : discrete_gradient(gradient, reduced.energy(), reduced.variables(), before, zeta);
  const Expr increment = by_differences ? h : Expr(0.0);
  const Vector dv = reduced.velocity_change(before, change);
  return {.zero = change - h * reduced.apply_structure(middle, g, increment),
          .constraint = {},
          .after = {reduced.position(zeta), reduced.velocity(zeta)},
          .velocity_change = dv,
          .velocity_rest = reduced.velocity_rest(before, change, a.v, dv)};
}

MethodPage<EnergyCollocation> EnergyCollocation::page() {
  return {
      .name = "energy-collocation",
      .title = "energy-preserving collocation on D*",
      .description =
          "High order with exact constraint, and with exact energy where the quadrature along a "
          "step is: near their singularities roots and quotients need more nodes or a smaller "
          "step. One stage is the mean-value reduced gradient. With an orthonormal frame driver "
          "and passenger of a coupled system keep their energies separately.",
      .source = "CohenHairer2011 on the equations of Celledoni2019, Sect. 2",
      .formula = {"zeta = (q, rho), H and Pi on D* as for reduced-gradient; b, c the Gauss weights "
                  "and nodes, l_i Lagrange polynomials",
                  "u(0) = zeta0, u polynomial of degree s in tau",
                  "0 = u'(c_i) - h*Pi(u(c_i)) int_0^1 l_i(tau)/b_i dH(u(tau)) dtau, i = 1..s",
                  "zeta1 = u(1)"},
      .facts = &EnergyCollocation::facts,
      .requirements = reduced_requirements(),
      .equations = &EnergyCollocation::equations,
      .options = {{"stages", &EnergyCollocation::stages,
                   "number of stages; the order is twice as high", 1, 8},
                  {"frame", &EnergyCollocation::frame, "frame of the constraint distribution",
                   frame_words()},
                  {"quadrature", &EnergyCollocation::quadrature,
                   "nodes of the integral along a step; auto: enough for polynomials up to degree "
                   "8, else stages + 7, and more where the first 200 steps of a run need them",
                   1, most_quadrature_nodes}},
      .conflict = &EnergyCollocation::conflict,
      .misfit = &EnergyCollocation::misfit};
}

std::optional<std::string> EnergyCollocation::conflict() const {
  if (!quadrature || *quadrature >= stages) return std::nullopt;
  return "has " + std::to_string(stages) + " stages and only " + std::to_string(*quadrature) +
         " nodes of quadrature; it needs as many nodes as stages for its order";
}

Facts EnergyCollocation::facts() const {
  return {.order = 2 * stages,
          .multiplier_order = 2 * stages,
          .continuous_multiplier = true,
          .symmetric = true,
          .reversible = true,
          .maps_constraint_set = true,
          // With fewer nodes than it would choose itself nothing is promised.
          .exact_energy = !quadrature || *quadrature >= stages + nodes_beside_stages,
          .keeps_fibration = false};  // as for the reduced gradient
}

std::optional<std::string> EnergyCollocation::misfit(const System& system) const {
  if (system.is_skew_gradient()) return std::nullopt;
  return Frame::misfit(system, frame);
}

namespace {

/// Points of a Gauss rule for dH along a polynomial of degree `stages` times l_i: exact for a
/// polynomial energy of moderate degree, else to round-off for steps that resolve the solution.
int quadrature_points(const Expr& energy, const Vector& variables, int stages) {
  const int degree = polynomial_degree(energy, variables);
  if (degree > 8) return stages + nodes_beside_stages;
  return std::max(stages, (stages * std::max(degree - 1, 0) + stages - 1 + 2) / 2);
}

}  // namespace

Equations EnergyCollocation::equations(const System& s, const State& a, Unknowns& u,
                                       const Expr& h) const {
  const ReducedSystem reduced(s, frame, a.q);
  const Vector before = reduced.point(a.q, a.v);
  const auto count = static_cast<std::size_t>(stages);
  const QuadratureRule nodes = gauss_rule(stages);
  const int chosen = quadrature_points(reduced.energy(), reduced.variables(), stages);
  const QuadratureRule fine = gauss_rule(quadrature.value_or(chosen));
  // The unknowns are h u'(c_j): products of h with weights would be rounded alike in every step.
  std::vector<Vector> path;
  for (std::size_t j = 0; j < count; ++j)
    path.push_back(u.vector("path_" + std::to_string(j + 1), zeros(before.size())));
  const auto at = [&](const std::vector<Constant>& weights) {
    return before + weighted_sum(1.0, weights, path);
  };
  const Vector gradient_of_energy = gradient(reduced.energy(), reduced.variables());
  std::vector<Vector> gradients_at;
  for (const Constant& tau : fine.nodes) {
    gradients_at.push_back(substitute(gradient_of_energy, reduced.variables(),
                                      at(integrated_lagrange(nodes.nodes, tau))));
  }
  Vector zero;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Constant> weights;
    for (std::size_t k = 0; k < fine.nodes.size(); ++k) {
      weights.push_back(fine.weights[k] * lagrange_value(nodes.nodes, i, fine.nodes[k]) /
                        nodes.weights[i]);
    }
    const Vector mean = weighted_sum(1.0, weights, gradients_at);
    const Vector stage = at(integrated_lagrange(nodes.nodes, nodes.nodes[i]));
    zero = concatenate({zero, path[i] - h * reduced.apply_structure(stage, mean, 0.0)});
  }
  const Vector zeta = at(nodes.weights), change = weighted_sum(1.0, nodes.weights, path),
               dv = reduced.velocity_change(before, change);
  return {.zero = zero,
          .constraint = {},
          .after = {reduced.position(zeta), reduced.velocity(zeta)},
          .velocity_change = dv,
          .velocity_rest = reduced.velocity_rest(before, change, a.v, dv)};
}

}  // namespace dalembert
