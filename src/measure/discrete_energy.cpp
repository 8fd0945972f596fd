#include "dalembert/measure/discrete_energy.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"

namespace dalembert {
namespace {

using Indices = std::vector<std::size_t>;

bool holds(const Indices& set, std::size_t index) {
  return std::find(set.begin(), set.end(), index) != set.end();
}

/// The symbolic parts of a system that decide which coordinates stand apart from the rest.
struct Parts {
  Parts(const System& system, const Symbols& symbols)
      : q(symbols.q),
        mass(system.mass(q)),
        constraints(system.constraint_matrix(q)),
        slope(gradient(system.potential(q), q)),
        stiffness(jacobian(slope, q)) {}

  /// Why coordinate i does not belong to a set; nothing if it does.
  std::optional<std::string> misfit(const Indices& set, std::size_t i) const {
    for (std::size_t j = 0; j < q.size(); ++j) {
      if (depends_on(stiffness(i, j), q)) return "the potential is not quadratic in it";
      if (holds(set, j)) continue;
      if (!mass(i, j).is_constant(0.0)) return "the mass couples it to others";
      if (!stiffness(i, j).is_constant(0.0)) return "the potential couples it to others";
      for (std::size_t row = 0; row < constraints.rows(); ++row) {
        if (!constraints(row, i).is_constant(0.0) && !constraints(row, j).is_constant(0.0))
          return "a constraint couples its velocity to others";
      }
    }
    return std::nullopt;
  }

  Vector q;
  Matrix mass, constraints;
  Vector slope;
  Matrix stiffness;
};

[[noreturn]] void refuse(const System& system, const std::string& reason) {
  throw RequestError("system \"" + system.name() + "\" has no discrete energy: " + reason);
}

Indices named(const System& system, const std::vector<std::string>& names) {
  Indices set;
  const auto& coordinates = system.description().coordinates;
  for (const std::string& name : names) {
    const auto found = std::find_if(coordinates.begin(), coordinates.end(),
                                    [&](const Coordinate& c) { return c.name == name; });
    if (found == coordinates.end()) refuse(system, "it has no coordinate \"" + name + "\"");
    set.push_back(static_cast<std::size_t>(found - coordinates.begin()));
  }
  std::sort(set.begin(), set.end());
  return set;
}

/// Leaves out what does not fit until all that is left does.
Indices largest(const System& system, const Parts& parts) {
  Indices set;
  for (std::size_t i = 0; i < system.dof(); ++i) set.push_back(i);
  std::string reasons;
  for (std::size_t k = 0; k < set.size();) {
    const auto reason = parts.misfit(set, set[k]);
    if (!reason) {
      ++k;
      continue;
    }
    const std::string& name = system.description().coordinates[set[k]].name;
    reasons += (reasons.empty() ? "" : "; ") + name + ": " + *reason;
    set.erase(set.begin() + static_cast<std::ptrdiff_t>(k));
    k = 0;
  }
  if (set.empty()) refuse(system, "no coordinates stand apart from the rest (" + reasons + ")");
  return set;
}

}  // namespace

DiscreteEnergy::DiscreteEnergy(const System& system, std::span<const double> parameters,
                               const std::vector<std::string>& coordinates) {
  const SystemTraits& traits = system.traits();
  if (traits.has_groups) refuse(system, "it is one on " + system.configuration().text());
  if (traits.lagrangian != LagrangianKind::constant_mass)
    refuse(system, "its mass matrix is not constant");
  if (traits.constraints != ConstraintKind::linear && traits.constraints != ConstraintKind::none)
    refuse(system, "its constraints are not linear in the velocities");
  if (!traits.is_conservative())
    refuse(system, "it has external forces or reactions that do work, or depends on time");

  const Symbols s = system.symbols();
  const Parts parts(system, s);
  Vector lambda;
  for (std::size_t i = 0; i < system.constraint_count(); ++i)
    lambda.push_back(make_symbol(s.t.graph(), "multiplier_" + std::to_string(i)));
  Vector acceleration = system.unconstrained_acceleration(s.q, s.v);
  if (!lambda.empty()) acceleration = acceleration + system.multiplier_directions(s.q) * lambda;
  acceleration_ = StateFunction<double>(system, s, acceleration, parameters, lambda);
  ahead_.resize(system.dof());
  indices_ = coordinates.empty() ? largest(system, parts) : named(system, coordinates);
  for (const std::size_t i : indices_) {
    if (const auto reason = parts.misfit(indices_, i))
      refuse(system, "\"" + system.description().coordinates[i].name + "\": " + *reason);
  }
  Vector outputs;
  for (const std::size_t i : indices_) {
    for (const std::size_t j : indices_) outputs.push_back(parts.mass(i, j));
    for (const std::size_t j : indices_) outputs.push_back(parts.stiffness(i, j));
    outputs.push_back(-substitute(parts.slope[i], parts.q, zeros(parts.q.size())));
  }
  StateFunction<double> constants(system, s, outputs, parameters);  // they depend on nothing else
  const std::vector<double> rest(system.dof(), 0.0);
  const std::span<const double> numbers = constants(0.0, rest, rest);
  auto next = numbers.begin();
  const auto count = static_cast<std::ptrdiff_t>(indices_.size());
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    mass_.insert(mass_.end(), next, next + count);
    stiffness_.insert(stiffness_.end(), next + count, next + 2 * count);
    force_.push_back(*(next + 2 * count));
    next += 2 * count + 1;
  }
}

double DiscreteEnergy::at_node(std::span<const double> q, std::span<const double> v,
                               std::span<const double> lambda, double h) {
  acceleration_.evaluate(0.0, q, v, lambda, ahead_);  // the system does not depend on time
  for (std::size_t i = 0; i < ahead_.size(); ++i)
    ahead_[i] = q[i] + h * (v[i] + h / 2.0 * ahead_[i]);
  return (*this)(q, ahead_, h);
}

double DiscreteEnergy::at_state(std::span<const double> q, std::span<const double> v,
                                double h) const {
  const std::size_t n = indices_.size();
  double energy = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = q[indices_[i]], rate = v[indices_[i]];
    double momentum = 0.0, spring = 0.0, stretching = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      momentum += mass_[i * n + j] * v[indices_[j]];
      spring += stiffness_[i * n + j] * q[indices_[j]];
      stretching += stiffness_[i * n + j] * v[indices_[j]];
    }
    energy += rate * (momentum - h * h / 4.0 * stretching) + x * (spring - 2.0 * force_[i]);
  }
  return energy / 2.0;
}

double DiscreteEnergy::operator()(std::span<const double> q0, std::span<const double> q1,
                                  double h) const {
  const std::size_t n = indices_.size();
  double energy = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double before = q0[indices_[i]], after = q1[indices_[i]];
    double momentum = 0.0, spring = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      momentum += mass_[i * n + j] * ((q1[indices_[j]] - q0[indices_[j]]) / h);
      spring += stiffness_[i * n + j] * q1[indices_[j]];
    }
    energy += (after - before) / h * momentum + before * spring - force_[i] * (before + after);
  }
  return energy / 2.0;
}

}  // namespace dalembert
