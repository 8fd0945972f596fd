#include "dalembert/measure/followed_quantity.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

void refuse_skew_gradient(const System& system, const std::string& what) {
  if (system.is_skew_gradient())
    throw RequestError("system \"" + system.name() +
                       "\" is given in skew-gradient form and has no " + what);
}

Vector field_on(const System& system, const Symbols& s, const VectorField& field) {
  Vector values = field(s);
  if (values.size() != system.dof())
    throw RequestError("a vector field on system \"" + system.name() + "\" needs " +
                       std::to_string(system.dof()) + " entries, not " +
                       std::to_string(values.size()));
  return values;
}

/// The rate of a quantity along a motion on groups. What the system gives is a function of stored
/// numbers, what a user writes one of variables: all of it in stored numbers, by whose rates it
/// changes.
Expr rate_of_motion_on_group(const System& system, const Symbols& s, const Expr& value) {
  const Expr stored = system.at({value}, s.q, s.v, s.t).front();
  const Expr by_time = gradient(stored, {s.t}).front();
  const Vector acceleration = system.eliminated(s.q, s.v, s.t).acceleration;
  const Expr by_velocity = dot(gradient(stored, s.v), acceleration);
  const Vector slope = system.configuration().storage_rate(s.q, s.v);
  const Expr by_position = dot(gradient(stored, s.q), slope);
  return by_position + by_velocity + by_time;
}

/// The rate of a quantity along the motion.
Expr rate_of_motion(const System& system, const Symbols& s, const Expr& value) {
  if (system.traits().has_groups) return rate_of_motion_on_group(system, s, value);
  const auto slope = [&] {
    if (!system.is_skew_gradient())
      return concatenate({s.v, system.eliminated(s.q, s.v, s.t).acceleration});
    const Vector ascent = gradient(system.energy(s.q, s.v), s.q);
    return system.structure(s.q) * ascent;
  }();
  const Vector state = concatenate({s.q, s.v});
  const Expr by_time = gradient(value, {s.t}).front();
  return directional_derivative({value}, state, slope).front() + by_time;
}

/// The same on groups, where the momentum turns with the body: ad*_v p besides.
Expr change_along_on_group(const System& system, const Symbols& s, const Vector& field) {
  const Vector momentum = system.momentum(s.q, s.v, s.t);
  const Vector turning = system.configuration().infinitesimal_coadjoint(s.v, momentum);
  const Vector push = system.lagrangian_gradient(s.q, s.v, s.t) + turning;
  const Vector lifted = system.left_jacobian(field, s.q, s.v, s.t) * s.v;
  const Expr by_velocity = dot(momentum, lifted);
  return dot(push, field) + by_velocity;
}

/// By what L changes along the flow of a field, lifted to velocities.
Expr change_along(const System& system, const Symbols& s, const Vector& field) {
  if (system.traits().has_groups) return change_along_on_group(system, s, field);
  // Each in a statement of its own, here and below: in one order with every compiler.
  const Vector lifted = directional_derivative(field, s.q, s.v);
  const Expr by_velocity = dot(system.momentum(s.q, s.v, s.t), lifted);
  return dot(system.lagrangian_gradient(s.q, s.v, s.t), field) + by_velocity;
}

}  // namespace

FollowedQuantity::FollowedQuantity(const System& system, const Symbols& s,
                                   std::span<const double> parameters, const Expr& value,
                                   const Expr& rate, const Vector& defects) {
  const Expr motion_rate = rate_of_motion(system, s, value);
  function_ = StateFunction<double>(
      system, s,
      concatenate(
          {Vector{value, system.is_skew_gradient() ? motion_rate : rate, motion_rate}, defects}),
      parameters);
}

FollowedQuantity::Values FollowedQuantity::operator()(double t, std::span<const double> q,
                                                      std::span<const double> v) {
  const std::span<const double> found = function_(t, q, v);
  return {found[0], found[1], found[2], numeric::largest_size<double>(found.subspan(3))};
}

FollowedQuantity FollowedQuantity::of(const System& system,
                                      const std::function<Expr(const Symbols&)>& expression,
                                      std::span<const double> parameters) {
  const Symbols s = system.symbols();
  return {system, s, parameters, expression(s), 0.0, {}};
}

FollowedQuantity FollowedQuantity::momentum(const System& system, const VectorField& xi,
                                            std::span<const double> parameters) {
  refuse_skew_gradient(system, "momentum");
  const Symbols s = system.symbols();
  const Vector field = field_on(system, s, xi);
  const Expr by_force = dot(system.force(s.q, s.v, s.t), field);
  const Expr rate = change_along(system, s, field) + by_force;
  return {system,     s,
          parameters, dot(system.momentum(s.q, s.v, s.t), field),
          rate,       system.constraint_matrix(s.q, s.v, s.t) * field};
}

FollowedQuantity FollowedQuantity::moving_energy(const System& system, const VectorField& y,
                                                 std::span<const double> parameters) {
  refuse_skew_gradient(system, "moving energy");
  if (system.traits().constraints == ConstraintKind::nonlinear)
    throw RequestError("system \"" + system.name() +
                       "\" has constraints that are not affine in the velocities: moving "
                       "energies need these");
  const Symbols s = system.symbols();
  const Vector field = field_on(system, s, y);
  const Expr by_time = gradient(system.lagrangian(s.q, s.v, s.t), {s.t}).front();
  const Expr along = change_along(system, s, field);
  const Vector slip = s.v - field;
  const Expr rate = dot(system.force(s.q, s.v, s.t), slip) - along - by_time;
  const Expr momentum = dot(system.momentum(s.q, s.v, s.t), field);
  return {system,     s,
          parameters, system.energy(s.q, s.v, s.t) - momentum,
          rate,       system.constraint(s.q, field, s.t)};
}

MotionResidual::MotionResidual(const System& system, std::span<const double> parameters)
    : dof_(system.dof()), constraint_count_(system.constraint_count()) {
  refuse_skew_gradient(system, "acceleration");
  const Symbols s = system.symbols();
  Vector acceleration, lambda;
  for (std::size_t i = 0; i < dof_; ++i)
    acceleration.push_back(make_symbol(s.t.graph(), "acceleration_" + std::to_string(i)));
  for (std::size_t i = 0; i < constraint_count_; ++i)
    lambda.push_back(make_symbol(s.t.graph(), "multiplier_" + std::to_string(i)));
  function_ = StateFunction<double>(
      system, s,
      concatenate({system.motion_residual(s.q, s.v, s.t, acceleration, lambda),
                   system.constraint(s.q, s.v, s.t)}),
      parameters, concatenate({acceleration, lambda}));
  reaction_.resize(dof_ + constraint_count_);
}

MotionResidual::Values MotionResidual::operator()(double t, std::span<const double> q,
                                                  std::span<const double> v,
                                                  std::span<const double> acceleration,
                                                  std::span<const double> lambda) {
  if (acceleration.size() != dof_)
    refuse_state_size("entries of the acceleration", acceleration.size(), dof_);
  if (lambda.size() != constraint_count_)
    refuse_state_size("multipliers", lambda.size(), constraint_count_);
  std::copy(lambda.begin(), lambda.end(),
            std::copy(acceleration.begin(), acceleration.end(), reaction_.begin()));
  const std::span<const double> all = function_(t, q, v, reaction_);
  return {numeric::largest_size<double>(all.subspan(0, dof_)),
          numeric::largest_size<double>(all.subspan(dof_ + constraint_count_)),
          numeric::largest_size<double>(all.subspan(dof_, constraint_count_))};
}

ConstraintRate::ConstraintRate(const System& system, std::span<const double> parameters) {
  if (system.constraint_count() == 0)
    throw RequestError("system \"" + system.name() + "\" has no constraints");
  const Symbols s = system.symbols();
  Vector lambda;
  for (std::size_t i = 0; i < system.constraint_count(); ++i)
    lambda.push_back(make_symbol(s.t.graph(), "lambda_" + std::to_string(i + 1)));
  const Vector reaction = system.multiplier_directions(s.q, s.v, s.t) * lambda;
  const Vector acceleration = system.unconstrained_acceleration(s.q, s.v, s.t) + reaction;
  const Vector phi = system.constraint(s.q, s.v, s.t);
  const Vector by_velocity = system.constraint_matrix(s.q, s.v, s.t) * acceleration;
  const Vector by_time = jacobian(phi, {s.t}).entries();
  const Vector slope = system.configuration().storage_rate(s.q, s.v);  // v itself on R^n
  const Vector rate = jacobian(phi, s.q) * slope + by_time + by_velocity;
  function_ = StateFunction<double>(system, s, rate, parameters, lambda);
}

double ConstraintRate::operator()(double t, std::span<const double> q, std::span<const double> v,
                                  std::span<const double> lambda) {
  return numeric::largest_size<double>(function_(t, q, v, lambda));
}

std::vector<double> sampled_rate(std::span<const double> y, double spacing, int order) {
  if (order < 2 || order > 8 || order % 2 != 0)
    throw RequestError("central differences have order 2, 4, 6 or 8: not " + std::to_string(order));
  const auto reach = static_cast<std::size_t>(order / 2);
  if (y.size() < 2 * reach + 1)
    throw RequestError("differences of order " + std::to_string(order) + " need " +
                       std::to_string(order + 1) + " samples: there are " +
                       std::to_string(y.size()));
  // (-1)^(k+1) (m!)^2/(k (m - k)! (m + k)!), k = 1..m, by its quotient from k to k + 1.
  std::vector<double> weights;
  double weight = static_cast<double>(reach) / static_cast<double>(reach + 1);
  for (std::size_t k = 1; k <= reach; ++k) {
    weights.push_back(weight);
    weight *=
        -static_cast<double>(k * (reach - k)) / static_cast<double>((k + 1) * (reach + k + 1));
  }
  std::vector<double> rates;
  for (std::size_t i = reach; i + reach < y.size(); ++i) {
    double sum = 0.0;
    for (std::size_t k = reach; k >= 1; --k) sum += weights[k - 1] * (y[i + k] - y[i - k]);
    rates.push_back(sum / spacing);
  }
  return rates;
}

}  // namespace dalembert
