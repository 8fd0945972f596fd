#include "dalembert/measure/watch/departure.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/measure/term_sizes.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

/// Of velocities that stand in a constraint for each other: with `constraint_allowed`, a violation
/// of 1e-12 of the largest velocity is none.
constexpr double part_of_others = 1e-12 / DepartureWatch::constraint_allowed;

}  // namespace

void Departure::see(double t, double departure, double terms, double allowed) {
  largest = numeric::larger(largest, departure);
  scale = numeric::larger(scale, terms);
  if (!since && !(departure <= allowed * scale)) since = t;
}

DepartureWatch::DepartureWatch(const System& system, std::span<const double> parameters,
                               Departures before)
    : found_(std::move(before)) {
  if (system.is_skew_gradient()) return;
  const Symbols s = system.symbols();
  const Expr potential = system.potential(s.q, s.t);
  const Expr energy = system.energy(s.q, s.v, s.t);
  const auto moving = moving_energy(system);
  Vector outputs{moving ? system.mechanics().integrals[*moving].second : energy, energy, potential};
  const Vector positions = system.holonomic(s.q, s.t);
  if (system.constraint_count() > 0) {
    const Vector terms = constraint_term_sizes(system, s, part_of_others);
    outputs = concatenate({outputs, system.constraint(s.q, s.v, s.t), terms});
  }
  outputs = concatenate({outputs, positions, holonomic_term_sizes(system, s)});
  function_ = StateFunction<double>(system, s, outputs, parameters);
  found_.constraints.resize(system.constraint_count());
  positions_ = positions.size();
  set_limits();
}

std::optional<std::size_t> DepartureWatch::moving_energy(const System& system) {
  const auto& integrals = system.mechanics().integrals;
  for (std::size_t i = 0; i < integrals.size(); ++i)
    if (integrals[i].first == "moving_energy") return i;
  return {};
}

void DepartureWatch::set_limits() {
  constexpr double none = std::numeric_limits<double>::infinity();
  const auto limit = [](const Departure& of, double allowed) {
    return of.since ? none : allowed * of.scale;
  };
  most_energy_ = limit(found_.energy, energy_allowed);
  most_constraint_ = none;
  for (const Departure& constraint : found_.constraints)
    most_constraint_ = numeric::smaller(most_constraint_, limit(constraint, constraint_allowed));
}

void DepartureWatch::see(double t, std::span<const double> q, std::span<const double> v) {
  if (function_.output_count() == 0) return;
  const std::span<const double> values = function_(t, q, v);
  const double kept = values[0], potential = values[2];
  if (!found_.energy_start) found_.energy_start = kept;
  if (!found_.potential_start) found_.potential_start = potential;
  const double kinetic = std::fabs(values[1] - potential),
               change = std::fabs(potential - *found_.potential_start);
  // Beside a potential less energy is the round-off of a state of rest, and what its velocities
  // have off the constraints is as large as they are.
  constexpr double some_units = 64.0 * std::numeric_limits<double>::epsilon();
  const double round_off = some_units * std::fabs(potential),
               parts = numeric::larger(numeric::larger(kinetic, change), round_off);
  found_.energy.see(t, std::fabs(kept - *found_.energy_start), parts, energy_allowed);
  see_constraints(t, values.subspan(3), kinetic <= round_off && potential != 0.0);
  set_limits();
}

void DepartureWatch::see_constraints(double t, std::span<const double> values, bool rests) {
  breaks_constraint_ = false;
  const auto look = [&](double value, double terms) {
    breaks_constraint_ = breaks_constraint_ || breaks_promise(std::fabs(value), 0.0, terms);
  };
  const std::size_t count = found_.constraints.size();
  for (std::size_t i = 0; i < count && !rests; ++i) {
    Departure& constraint = found_.constraints[i];
    constraint.see(t, std::fabs(values[i]), values[count + i], constraint_allowed);
    look(values[i], constraint.scale);
  }
  const std::span<const double> positions = values.subspan(2 * count);
  for (std::size_t i = 0; i < positions_; ++i) look(positions[i], positions[positions_ + i]);
}

}  // namespace dalembert
