#include "reduced_system.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/difference/exact_change.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

/// Round-off for steps that resolve the kinetic energy.
constexpr int points_of_mean = 12;

/// The least positive number keeps 0/0 away where nothing changes; elsewhere it changes nothing.
Expr squared_length(const Vector& change) { return dot(change, change) + 1e-300; }

}  // namespace

Words<FrameKind> frame_words() {
  return {{FrameKind::automatic, "automatic"},
          {FrameKind::qr, "qr"},
          {FrameKind::given, "given"},
          {FrameKind::adapted, "adapted"},
          {FrameKind::sparse, "sparse"}};
}

Requirements energy_requirements() {
  return {.lagrangian = LagrangianKind::configuration_mass,
          .constraints = ConstraintKind::linear,
          .reason =
              "it is built on an energy that the exact motion keeps, and on the equations in a "
              "frame of a linear constraint distribution",
          .on_groups =
              "the method \"chart\" with this one as base takes its steps in coordinates there"};
}

Requirements reduced_requirements() {
  Requirements requirements = energy_requirements();
  requirements.handles_skew_gradient = true;
  return requirements;
}

Vector back_to_constraint(const System& system, const Vector& q, const Vector& v) {
  if (system.constraint_count() == 0) return zeros(system.dof());
  const Matrix a = system.constraint_matrix(q), directions = system.multiplier_directions(q);
  const Vector beside = a * v;
  return -(directions * solve_linear(a * directions, beside));
}

ReducedSystem::ReducedSystem(const System& system, FrameKind frame, const Vector& reference)
    : system_(system) {
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
  const Expr potential = system.potential(q);
  energy_ = kinetic + potential;
  y_ = new_symbols(graph, "y", frame_->size());
  has_constant_metric_ = !any_depends_on(frame_->metric(q).entries(), q);
  // Else the change of the metric would have its round-off, or it has pieces.
  has_change_of_metric_ = has_exact_change(frame_->metric(q).entries(), q);
  slope_ = gradient(potential, q);
  const Vector momentum = frame_->metric(q) * y_;
  pull_ = has_constant_metric_ ? zeros(system.dof()) : gradient(0.5 * dot(y_, momentum), q);
}

Vector ReducedSystem::point(const Vector& q, const Vector& v) const {
  if (!frame_) return q;
  const Vector p = system_.mass(q) * v;
  return concatenate({q, transpose(frame_->at(q)) * p});
}

Vector ReducedSystem::velocity(const Vector& zeta) const {
  if (!frame_) return {};
  const Vector q = position(zeta);
  const Vector y = frame_->components_of_momentum(q, momenta(zeta));
  return frame_->at(q) * y;
}

Vector ReducedSystem::velocity_change(const Vector& zeta, const Vector& change) const {
  if (!frame_) return {};
  const Vector symbols = position(variables_), q = position(zeta), dq = position(change);
  const Matrix turned = exact_change(frame_->at(symbols), symbols, q, dq);
  const Matrix stretched = change_of_metric(q, dq);
  const Vector y = frame_->components_of_momentum(q, momenta(zeta)),
               dy = change_of_components(zeta, change, stretched, y);
  const Vector along = frame_->at(q) * dy;
  return turned * (y + dy) + along;
}

Vector ReducedSystem::velocity_rest(const Vector& zeta, const Vector& change, const Vector& v,
                                    const Vector& dv) const {
  if (!frame_) return {};
  const Vector back = back_to_constraint(system_, position(zeta), v);
  return back + to_energy(zeta, change, v, back, dv);
}

Matrix ReducedSystem::change_of_metric(const Vector& q, const Vector& dq) const {
  const Vector symbols = position(variables_);
  return exact_change(frame_->metric(symbols), symbols, q, dq);
}

/// G1 dy = drho - dG y0.
Vector ReducedSystem::change_of_components(const Vector& zeta, const Vector& change,
                                           const Matrix& stretched, const Vector& y) const {
  const Vector pull = stretched * y, rest = momenta(change) - pull;
  return solve_linear(frame_->metric(position(zeta)) + stretched, rest);
}

Vector ReducedSystem::energy_gradient(const Vector& zeta) const {
  const Vector potential = substitute(slope_, position(variables_), position(zeta));
  return kinetic_gradient(zeta) + concatenate({potential, zeros(frame_->size())});
}

Vector ReducedSystem::kinetic_gradient(const Vector& zeta) const {
  const Vector q = position(zeta), y = frame_->components_of_momentum(q, momenta(zeta));
  const Vector symbols = concatenate({position(variables_), y_}), values = concatenate({q, y});
  return concatenate({-substitute(pull_, symbols, values), y});
}

Expr ReducedSystem::change_of_kinetic_energy(const Vector& zeta, const Vector& change) const {
  const Vector q = position(zeta), drho = momenta(change),
               y = frame_->components_of_momentum(q, momenta(zeta));
  const Matrix stretched = change_of_metric(q, position(change));
  const Vector dy = change_of_components(zeta, change, stretched, y);
  const Expr by_momenta = dot(drho, 2.0 * y + dy), by_metric = dot(y + dy, stretched * y);
  return 0.5 * (by_momenta - by_metric);
}

Vector ReducedSystem::mean_of_potential_slope(const Vector& zeta, const Vector& change) const {
  const Vector q = position(zeta), symbols = position(variables_);
  return segment_mean(slope_, symbols, q, q + position(change));
}

Vector ReducedSystem::discrete_gradient(GradientKind kind, const Vector& zeta,
                                        const Vector& change) const {
  if (frame_ && has_change_of_metric_) {
    if (kind == GradientKind::gonzalez) return gonzalez(zeta, change);
    if (kind == GradientKind::mean_value) return mean_value(zeta, change);
  }
  return dalembert::discrete_gradient(kind, energy_, variables_, zeta, zeta + change);
}

Vector ReducedSystem::gonzalez_gradient(const Vector& zeta, const Vector& change,
                                        const Vector& middle_slope) const {
  if (!has_change_of_metric_)
    return dalembert::gonzalez_gradient(energy_, variables_, zeta, zeta + change, middle_slope);
  const Vector mean = concatenate({mean_of_potential_slope(zeta, change), zeros(frame_->size())});
  const Expr of_potential = dot(mean - middle_slope, change),
             missing = of_potential + change_of_kinetic_energy(zeta, change);
  return middle_slope + (missing / squared_length(change)) * change;
}

Vector ReducedSystem::gonzalez(const Vector& zeta, const Vector& change) const {
  const Vector middle = zeta + 0.5 * change, middle_slope = energy_gradient(middle);
  if (!has_constant_metric_) return gonzalez_gradient(zeta, change, middle_slope);
  // Of a quadratic energy nothing is missing.
  const Vector at_middle = substitute(slope_, position(variables_), position(middle)),
               beside = mean_of_potential_slope(zeta, change) - at_middle;
  const Expr missing = dot(beside, position(change));
  if (missing.is_constant(0.0)) return middle_slope;
  return middle_slope + (missing / squared_length(change)) * change;
}

Vector ReducedSystem::mean_value(const Vector& zeta, const Vector& change) const {
  Vector mean = concatenate({mean_of_potential_slope(zeta, change), zeros(frame_->size())});
  const Vector middle = zeta + 0.5 * change;
  if (has_constant_metric_) return mean + kinetic_gradient(middle);
  const QuadratureRule rule = gauss_rule(points_of_mean);
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
    const Vector at = middle + Expr(rule.nodes[k] - Constant{0.5}) * change;
    mean = mean + Expr(rule.weights[k]) * kinetic_gradient(at);
  }
  return mean;
}

Vector ReducedSystem::gradient_by_differences(const Vector& zeta, const Expr& increment) const {
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

Vector ReducedSystem::apply_structure(const Vector& zeta, const Vector& g,
                                      const Expr& increment) const {
  if (!frame_) return system_.structure(zeta) * g;
  const Vector q = position(zeta);
  const Matrix x = frame_->at(q);
  const Vector v = velocity(zeta), p = system_.mass(q) * v;
  const Vector slope = slice(g, 0, dof()), y = slice(g, dof(), frame_->size());
  const Vector rate = x * y, force = transpose(x) * slope;
  return concatenate({rate, frame_->bracket(q, p, increment) * y - force});
}

Vector ReducedSystem::to_energy(const Vector& zeta, const Vector& change, const Vector& v,
                                const Vector& back, const Vector& dv) const {
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

}  // namespace dalembert
