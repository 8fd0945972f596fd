#include "dalembert/measure/followed_quantity.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"

namespace dalembert {
namespace {

std::vector<double> parameter_values(const System& system, std::span<const double> given) {
  std::vector<double> values = system.default_parameters();
  if (given.empty()) return values;
  if (given.size() != values.size())
    throw RequestError("system \"" + system.name() + "\" has " + std::to_string(values.size()) +
                       " parameters, not " + std::to_string(given.size()));
  return {given.begin(), given.end()};
}

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

double largest_size(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) {
    if (!(std::fabs(value) <= largest)) largest = std::fabs(value);
  }
  return largest;
}

/// By what L changes along the flow of a field, lifted to velocities.
Expr change_along(const System& system, const Symbols& s, const Vector& field) {
  return dot(system.lagrangian_gradient(s.q, s.v, s.t), field) +
         dot(system.momentum(s.q, s.v, s.t), directional_derivative(field, s.q, s.v));
}

}  // namespace

FollowedQuantity::FollowedQuantity(const System& system, const Symbols& s,
                                   std::span<const double> parameters, const Expr& value,
                                   const Expr& rate, const Vector& defects)
    : dof_(system.dof()), velocities_(system.velocity_count()) {
  const Vector slope = system.is_skew_gradient()
                           ? system.structure(s.q) * gradient(system.energy(s.q, s.v), s.q)
                           : concatenate({s.v, system.eliminated(s.q, s.v, s.t).acceleration});
  const Vector state = concatenate({s.q, s.v});
  const Expr motion_rate =
      directional_derivative({value}, state, slope).front() + gradient(value, {s.t}).front();
  function_ = CompiledFunction(
      concatenate({s.parameter_list, Vector{s.t}, state}),
      concatenate(
          {Vector{value, system.is_skew_gradient() ? motion_rate : rate, motion_rate}, defects}));
  arguments_ = parameter_values(system, parameters);
  given_ = arguments_.size();
  arguments_.resize(given_ + 1 + dof_ + velocities_);
  results_.resize(3 + defects.size());
}

FollowedQuantity::Values FollowedQuantity::operator()(double t, std::span<const double> q,
                                                      std::span<const double> v) {
  arguments_[given_] = t;
  auto next =
      std::copy_n(q.begin(), dof_, arguments_.begin() + static_cast<std::ptrdiff_t>(given_) + 1);
  std::copy_n(v.begin(), velocities_, next);
  function_(arguments_, results_);
  return {results_[0], results_[1], results_[2], largest_size(std::span(results_).subspan(3))};
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
  const Expr rate = change_along(system, s, field) + dot(system.force(s.q, s.v, s.t), field);
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
  const Expr rate = dot(system.force(s.q, s.v, s.t), s.v - field) - change_along(system, s, field) -
                    gradient(system.lagrangian(s.q, s.v, s.t), {s.t}).front();
  return {system,     s,
          parameters, system.energy(s.q, s.v, s.t) - dot(system.momentum(s.q, s.v, s.t), field),
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
  const Vector inputs =
      concatenate({s.parameter_list, Vector{s.t}, s.q, s.v, acceleration, lambda});
  function_ = CompiledFunction(
      inputs, concatenate({system.motion_residual(s.q, s.v, s.t, acceleration, lambda),
                           system.constraint(s.q, s.v, s.t)}));
  arguments_ = parameter_values(system, parameters);
  given_ = arguments_.size();
  arguments_.resize(inputs.size());
  results_.resize(dof_ + 2 * constraint_count_);
}

MotionResidual::Values MotionResidual::operator()(double t, std::span<const double> q,
                                                  std::span<const double> v,
                                                  std::span<const double> acceleration,
                                                  std::span<const double> lambda) {
  arguments_[given_] = t;
  auto next =
      std::copy_n(q.begin(), dof_, arguments_.begin() + static_cast<std::ptrdiff_t>(given_) + 1);
  next = std::copy_n(v.begin(), dof_, next);
  next = std::copy_n(acceleration.begin(), dof_, next);
  std::copy_n(lambda.begin(), constraint_count_, next);
  function_(arguments_, results_);
  const std::span<const double> all = results_;
  return {largest_size(all.subspan(0, dof_)), largest_size(all.subspan(dof_ + constraint_count_)),
          largest_size(all.subspan(dof_, constraint_count_))};
}

ConstraintRate::ConstraintRate(const System& system, std::span<const double> parameters) {
  if (system.constraint_count() == 0)
    throw RequestError("system \"" + system.name() + "\" has no constraints");
  arguments_ = parameter_values(system, parameters);
  given_ = arguments_.size();
  const Symbols s = system.symbols();
  Vector lambda;
  for (std::size_t i = 0; i < system.constraint_count(); ++i)
    lambda.push_back(make_symbol(s.t.graph(), "lambda_" + std::to_string(i + 1)));
  const Vector acceleration = system.unconstrained_acceleration(s.q, s.v, s.t) +
                              system.multiplier_directions(s.q, s.v, s.t) * lambda;
  const Vector phi = system.constraint(s.q, s.v, s.t);
  const Vector rate = jacobian(phi, s.q) * s.v + jacobian(phi, {s.t}).entries() +
                      system.constraint_matrix(s.q, s.v, s.t) * acceleration;
  function_ =
      CompiledFunction(concatenate({s.parameter_list, Vector{s.t}, s.q, s.v, lambda}), rate);
  results_.resize(rate.size());
}

double ConstraintRate::operator()(double t, std::span<const double> q, std::span<const double> v,
                                  std::span<const double> lambda) {
  arguments_.resize(given_);
  arguments_.push_back(t);
  for (const std::span<const double> part : {q, v, lambda})
    arguments_.insert(arguments_.end(), part.begin(), part.end());
  function_(arguments_, results_);
  return largest_size(results_);
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
