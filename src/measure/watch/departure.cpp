#include "dalembert/measure/watch/departure.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/expression/pieces.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

/// A constraint of one term, as v_2 = 0, is as large as its terms when it is violated by round-off.
/// Therefore velocities that stand in it count a little for each other: with `constraint_allowed`,
/// a violation of 1e-12 of the largest velocity is none.
constexpr double part_of_others = 1e-12 / DepartureWatch::constraint_allowed;

/// The sizes of the terms of each constraint: of its products with velocities, and of what is left
/// without velocities.
Vector terms_of(const Vector& constraint, const Matrix& matrix, const Vector& v) {
  Vector terms;
  Expr velocities = 0.0;
  for (const Expr& one : v) velocities = velocities + abs(one);
  for (std::size_t i = 0; i < constraint.size(); ++i) {
    Expr sizes = 0.0, sum = 0.0, row = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      const Expr product = matrix(i, j) * v[j];
      sizes = sizes + abs(product);
      sum = sum + product;
      row = row + abs(matrix(i, j));
    }
    terms.push_back(max(sizes + abs(constraint[i] - sum), part_of_others * row * velocities));
  }
  return terms;
}

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
  if (system.constraint_count() > 0) {
    const Matrix matrix = system.constraint_matrix(s.q, s.v, s.t);
    const Vector constraint = system.constraint(s.q, s.v, s.t);
    outputs = concatenate({outputs, constraint, terms_of(constraint, matrix, s.v)});
  }
  function_ = StateFunction<double>(system, s, outputs, parameters);
  found_.constraints.resize(system.constraint_count());
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
  found_.energy.see(t, std::fabs(kept - *found_.energy_start), numeric::larger(kinetic, change),
                    energy_allowed);
  const std::size_t count = found_.constraints.size();
  for (std::size_t i = 0; i < count; ++i)
    found_.constraints[i].see(t, std::fabs(values[3 + i]), values[3 + count + i],
                              constraint_allowed);
  set_limits();
}

}  // namespace dalembert
