#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// The parts of a nonholonomically coupled system: drivers, which feel nothing of the others and
/// set the coefficients of the constraints, and passengers, which the constraints couple. Indices
/// of coordinates. Source: [ModinVerdier2020], Def. 2.1, here with any number of drivers and any
/// kinetic energies.
struct Coupling {
  std::vector<std::size_t> drivers, passengers;  ///< in ascending order
};

/// The coupling of a system, found from its expressions: the constraints are linear, without
/// explicit time; passengers are the coordinates whose velocities they contain; their coefficients
/// depend on the other coordinates, the drivers, only; and the Lagrangian is a sum of one of the
/// drivers and one of the passengers. Nothing if the system is not of this form, or has external
/// forces.
std::optional<Coupling> find_coupling(const System& system);

/// A second start with the same drivers and other passengers: their positions are moved by amounts
/// between 1/8 and 1/4, their velocities too and then projected onto the constraints.
template <class Number>
BasicPoint<Number> with_other_passengers(StepMap<Number>& map, const BasicPoint<Number>& start,
                                         const Coupling& coupling) {
  std::vector<double> q, v;
  for (const Number& entry : start.q) q.push_back(static_cast<double>(entry));
  for (const Number& entry : start.v) v.push_back(static_cast<double>(entry));
  double amount = 0.25;
  for (const std::size_t i : coupling.passengers) {
    q[i] += amount;
    v[i] -= 0.75 * amount;
    amount = -0.8 * amount;
    if (std::fabs(amount) < 0.125) amount = 0.25;
  }
  BasicPoint<Number> other = map.start(q, v);
  // Drivers to the last bit of the number type, which double may not hold.
  for (const std::size_t i : coupling.drivers) {
    other.q[i] = start.q[i];
    other.v[i] = start.v[i];
  }
  return other;
}

/// Defect of the fibration of a coupled system over its drivers under a method: the largest entry
/// by which the drivers' q and v differ after `steps` steps from two starts that differ in
/// the passengers only. Round-off for a method whose drivers do not feel the passengers, of the
/// order of the local error otherwise. Infinite if a step was refused. Source: [ModinVerdier2020],
/// Sect. 3.3, condition (i).
template <class Number>
double fibration_defect(StepMap<Number>& map, const BasicPoint<Number>& start, const Number& h,
                        const Coupling& coupling, std::uint64_t steps) {
  BasicPoint<Number> point = start, other = with_other_passengers(map, start, coupling);
  if (!map.apply(point, h, steps) || !map.apply(other, h, steps))
    return std::numeric_limits<double>::infinity();
  const auto drivers = [&](const BasicPoint<Number>& state) {
    std::vector<Number> values;
    for (const std::size_t i : coupling.drivers) {
      values.push_back(state.q[i]);
      values.push_back(state.v[i]);
    }
    return values;
  };
  return largest_difference(drivers(point), drivers(other));
}

/// The largest changes of the drivers' and of the passengers' energy over `steps` steps, each
/// measured as the energy of the system with the other part held at its start. Infinite if a step
/// was refused.
struct PartEnergyDefects {
  double drivers = 0.0, passengers = 0.0;  ///< of their energies
};
/// The defects over `steps` steps of size h.
template <class Number>
PartEnergyDefects part_energy_defects(StepMap<Number>& map, const BasicPoint<Number>& start,
                                      const Number& h, const Coupling& coupling,
                                      std::uint64_t steps) {
  const auto energy_with = [&](const BasicPoint<Number>& state,
                               const std::vector<std::size_t>& moving) {
    BasicPoint<Number> mixed = start;
    for (const std::size_t i : moving) {
      mixed.q[i] = state.q[i];
      mixed.v[i] = state.v[i];
    }
    return map.energy(mixed);
  };
  const std::vector<Number> at_start{map.energy(start)};
  BasicPoint<Number> point = start;
  PartEnergyDefects defects;
  for (std::uint64_t k = 0; k < steps; ++k) {
    if (!map.apply(point, h)) {
      const double infinity = std::numeric_limits<double>::infinity();
      return {infinity, infinity};
    }
    const auto change = [&](const std::vector<std::size_t>& moving) {
      return largest_difference({energy_with(point, moving)}, at_start);
    };
    defects.drivers = numeric::larger(defects.drivers, change(coupling.drivers));
    defects.passengers = numeric::larger(defects.passengers, change(coupling.passengers));
  }
  return defects;
}

}  // namespace dalembert
