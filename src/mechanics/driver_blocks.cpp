#include "dalembert/mechanics/driver_blocks.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

bool is_zero_column(const Matrix& matrix, std::size_t column) {
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    if (!matrix(row, column).is_constant(0.0)) return false;
  }
  return true;
}

/// What is wrong with the kind of the system, before any parts are looked for.
std::optional<std::string> wrong_kind(const System& system) {
  const SystemTraits& traits = system.traits();
  if (system.is_skew_gradient()) return "is given in skew-gradient form";
  if (traits.has_groups) return "moves on " + system.configuration().text();
  if (traits.holonomic) return "has constraints on positions";
  if (traits.constraints == ConstraintKind::none)
    return "has no constraints, which alone tell drivers from passengers";
  if (traits.constraints != ConstraintKind::linear)
    return "has constraints that are not linear in the velocities";
  if (traits.lagrangian != LagrangianKind::constant_mass) return "has a mass that is not constant";
  if (traits.forced) return "has external forces";
  if (!traits.ideal) return "has a reaction with a direction of its own";
  return std::nullopt;
}

std::string quoted(const System& system, std::size_t coordinate) {
  return "\"" + system.description().coordinates[coordinate].name + "\"";
}

DriverBlocks parts_of(const System& system, const Matrix& constraint) {
  DriverBlocks blocks;
  for (std::size_t i = 0; i < system.dof(); ++i)
    (is_zero_column(constraint, i) ? blocks.drivers : blocks.passengers).push_back(i);
  return blocks;
}

/// What keeps those parts from being drivers and passengers.
std::optional<std::string> wrong_parts(const System& system, const DriverBlocks& blocks,
                                       const Symbols& s, const Matrix& constraint) {
  for (const std::size_t i : blocks.passengers) {
    const Vector own(1, s.q[i]);
    if (any_depends_on(constraint.entries(), own))
      return "has constraints on the velocity of " + quoted(system, i) +
             " whose coefficients depend on " + quoted(system, i);
  }
  if (depends_on(system.potential(s.q), {s.t})) return "has a potential that changes with time";
  const Matrix mass = system.mass(s.q);
  for (const std::size_t driver : blocks.drivers) {
    for (std::size_t i = 0; i < system.dof(); ++i) {
      if (i != driver && !mass(driver, i).is_constant(0.0))
        return "has a mass that couples the driver " + quoted(system, driver) + " to " +
               quoted(system, i);
    }
  }
  return std::nullopt;
}

bool splits(const System& system, const DriverBlocks& blocks, const Symbols& s) {
  const Vector slope = blocks.of_drivers(gradient(system.potential(s.q), s.q));
  return !any_depends_on(slope, blocks.of_passengers(s.q));
}

}  // namespace

std::optional<std::string> DriverBlocks::misfit(const System& system) {
  if (const auto reason = wrong_kind(system)) return *reason;
  const Symbols s = system.symbols();
  const Matrix constraint = system.constraint_matrix(s.q, s.v, s.t);
  return wrong_parts(system, parts_of(system, constraint), s, constraint);
}

DriverBlocks DriverBlocks::of(const System& system) {
  if (const auto reason = misfit(system)) {
    throw RequestError("system \"" + system.name() + "\" has no drivers and passengers: it " +
                       *reason);
  }
  const Symbols s = system.symbols();
  DriverBlocks blocks = parts_of(system, system.constraint_matrix(s.q, s.v, s.t));
  blocks.potential_splits = splits(system, blocks, s);
  return blocks;
}

namespace {

Vector picked(const Vector& all, const std::vector<std::size_t>& which) {
  Vector part;
  for (const std::size_t i : which) part.push_back(all[i]);
  return part;
}

}  // namespace

Vector DriverBlocks::of_drivers(const Vector& all) const { return picked(all, drivers); }
Vector DriverBlocks::of_passengers(const Vector& all) const { return picked(all, passengers); }

Vector DriverBlocks::joined(const Vector& drivers_part, const Vector& passengers_part) const {
  Vector all(drivers.size() + passengers.size());
  for (std::size_t i = 0; i < drivers.size(); ++i) all[drivers[i]] = drivers_part[i];
  for (std::size_t i = 0; i < passengers.size(); ++i) all[passengers[i]] = passengers_part[i];
  return all;
}

}  // namespace dalembert
