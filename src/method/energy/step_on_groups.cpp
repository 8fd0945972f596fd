#include "step_on_groups.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/difference/exact_change.hpp"
#include "mechanics/new_symbols.hpp"
#include "reduced_system.hpp"

namespace dalembert {
namespace {

/// The least positive number keeps 0/0 away where nothing moves; elsewhere it changes nothing.
constexpr double least_square = 1e-300;

}  // namespace

template <class Functions>
Functions StepOnGroups::change(const Functions& functions) const {
  return exact_change(functions, z_, -(0.5 * displacement_), displacement_);
}

StepOnGroups::StepOnGroups(const System& system, FrameKind frame, Retraction map,
                           const State& before, Unknowns& unknowns)
    : system_(system), frame_(system, frame, before.q), map_(map), before_(before) {
  const GraphPointer graph = system.symbols(before.q).t.graph();
  const Configuration& space = system.configuration();
  const Vector p0 = system.mass(before.q) * before.v;
  rho0_ = transpose(frame_.at(before.q)) * p0;
  displacement_ = unknowns.vector("displacement", zeros(system.dof()));
  drho_ = unknowns.vector("rho", rho0_) - rho0_;
  const Vector half = 0.5 * displacement_;
  middle_ = space.move(map, before.q, half);
  end_ = space.move(map, middle_, half);
  const Vector stored = system.symbols(before.q).q;
  has_constant_metric_ = !any_depends_on(frame_.metric(stored).entries(), stored);
  z_ = new_symbols(graph, "z", system.dof());
  frame_change_ = change(frame_.at(place(z_)));
  metric_change_ = change(frame_.metric(place(z_)));
  y0_ = frame_.components_of_momentum(before.q, rho0_);
  // G1 dy = drho - dG y0.
  const Vector stretched = metric_change_ * y0_, rest = drho_ - stretched;
  dy_ = solve_linear(frame_.metric(before.q) + metric_change_, rest);
}

Vector StepOnGroups::place(const Vector& z) const {
  return system_.configuration().move(map_, middle_, z);
}

Vector StepOnGroups::pull(const Vector& g, const Vector& y) const {
  if (has_constant_metric_) return zeros(system_.dof());
  const Vector stored = new_symbols(y.front().graph(), "g", g.size());
  const Vector held = new_symbols(y.front().graph(), "y", y.size());
  const Vector momentum = frame_.metric(stored) * held;
  const Vector slopes = gradient(0.5 * dot(held, momentum), stored);
  Vector result;
  for (std::size_t k = 0; k < system_.dof(); ++k) {
    Vector axis = zeros(system_.dof());
    axis[k] = 1.0;
    result.push_back(dot(slopes, system_.configuration().storage_rate(stored, axis)));
  }
  return substitute(result, concatenate({stored, held}), concatenate({g, y}));
}

StepOnGroups::Covector StepOnGroups::discrete_gradient(GradientKind kind) const {
  return kind == GradientKind::gonzalez ? gonzalez() : mean_value();
}

/// The correction of the potential lies in alpha alone, where momenta have no part; that of the
/// kinetic energy along the whole change, smooth also where the motion turns round.
StepOnGroups::Covector StepOnGroups::gonzalez() const {
  const Vector y = frame_.components_of_momentum(middle_, rho0_ + 0.5 * drho_);
  const Vector slope = system_.potential_gradient(middle_), kinetic = pull(middle_, y);
  const Vector potential{system_.potential(place(z_))};
  const Expr expected_of_potential = dot(slope, displacement_),
             missing = change(potential)[0] - expected_of_potential,
             length = dot(displacement_, displacement_);
  const Vector by_potential = (missing / (length + least_square)) * displacement_;
  if (has_constant_metric_) return {slope + by_potential, y};
  // T1 - T0 = (drho.(2 y0 + dy) - (y0 + dy).dG y0)/2.
  const Vector stretched = metric_change_ * y0_;
  const Expr by_momenta = dot(drho_, 2.0 * y0_ + dy_), by_metric = dot(y0_ + dy_, stretched),
             along_slope = dot(kinetic, displacement_), along_momenta = dot(y, drho_);
  const Expr gained = 0.5 * (by_momenta - by_metric), expected = along_momenta - along_slope;
  const Expr factor = (gained - expected) / (length + dot(drho_, drho_) + least_square);
  const Vector along = factor * displacement_;
  return {(slope - kinetic) + by_potential + along, y + factor * drho_};
}

StepOnGroups::Covector StepOnGroups::mean_value() const {
  const GraphPointer graph = displacement_.front().graph();
  const Expr s = make_symbol(graph, "s");
  const Vector path = s * displacement_, at = place(path);
  const Vector y =
      frame_.components_of_momentum(has_constant_metric_ ? middle_ : at,
                                    rho0_ + (has_constant_metric_ ? Expr(0.5) : 0.5 + s) * drho_);
  const Vector kinetic = pull(at, y);
  const Vector slope = system_.potential_gradient(at) - kinetic;
  const Vector alpha = system_.configuration().ray_tangent_transpose(map_, path, slope);
  const Vector mean = segment_mean(concatenate({alpha, y}), {s}, {Expr(-0.5)}, {Expr(0.5)});
  return {slice(mean, 0, system_.dof()), slice(mean, system_.dof(), frame_.size())};
}

Equations StepOnGroups::equations(GradientKind kind, const Expr& h) const {
  const Covector covector = discrete_gradient(kind);
  const Matrix x = frame_.at(middle_);
  const Vector xi = x * covector.y;
  const Vector y = frame_.components_of_momentum(middle_, rho0_ + 0.5 * drho_), v = x * y;
  const Vector momentum = system_.mass(middle_) * v;
  const Vector turning = frame_.bracket(middle_, momentum, 0.0) * covector.y,
               force = transpose(x) * covector.slope;
  const Vector moved = displacement_ - h * xi, kicked = drho_ - h * (turning - force);
  const Vector y1 = y0_ + dy_, turned = frame_change_ * y1, along = frame_.at(before_.q) * dy_;
  const Vector at_end = frame_.components_of_momentum(end_, rho0_ + drho_);
  const Vector velocity = frame_.at(end_) * at_end;
  return {.zero = concatenate({moved, kicked}),
          .constraint = {},
          .after = {end_, velocity},
          .velocity_change = turned + along,
          .velocity_rest = back_to_constraint(system_, before_.q, before_.v)};
}

}  // namespace dalembert
