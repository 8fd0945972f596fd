#pragma once
// The definition of averaged_rates; see predicted_rates.hpp.

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "dalembert/audit/rates/predicted_rates.hpp"
#include "dalembert/error.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// (q, v) of passengers with z = (y, s) = unit vector `column`, the driver at a state; rests are
/// those of the springs.
struct PassengerStates {
  PassengerStates(const System& system, std::span<const double> parameters,
                  const std::string& what);
  /// Positions and velocities of drivers and passengers.
  struct State {
    std::vector<double> q, v;  ///< [dof]
  };
  /// Passengers at rest: z = 0.
  State rest(double position, double velocity) const;
  /// Passengers with z = unit vector `column` < count(), the driver at this position and velocity.
  State at(double position, double velocity, std::size_t column);
  /// Number of entries of z: rank of the stiffness matrix, and one.
  std::size_t count() const { return passengers.rank() + 1; }

  CoupledPassengers passengers;  ///< of the system
  Evaluator evaluator;           ///< of the system
};

/// True if an error of the carried multiplier comes back from a short step with its sign.
template <class Number>
bool keeps_multiplier_error(StepMap<Number>& map, const BasicPoint<Number>& start) {
  if (!map.program().method().facts().carries_multiplier || start.lambda.empty()) return false;
  const Number h(0x1p-8), error(0x1p-6);
  BasicPoint<Number> exact = start, off = start;
  off.lambda.front() = off.lambda.front() + error;
  if (!map.apply(exact, h) || !map.apply(off, h)) return false;
  return (off.lambda.front() - exact.lambda.front()) / error > Number(0.0);
}

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {
template <class Number>
AveragedRates averaged_rates(const System& system, const Method& method, const Start& start,
                             std::span<const double> parameters, int points) {
  const std::vector<double> chosen =
      parameters.empty() ? named_parameter_values(system, start.parameters)
                         : std::vector<double>(parameters.begin(), parameters.end());
  const Start ready = prepare_start(system, start, chosen);
  Latitude latitude(system, chosen);
  PassengerStates states(system, chosen, "averaged rates");
  StepLogarithm<Number> logarithm(system, method, chosen);
  if (keeps_multiplier_error(logarithm.step_map(), logarithm.start(ready.q, ready.v)))
    throw RequestError("method \"" + method.name() +
                       "\" has no averaged rates: an error of the multiplier that it carries stays "
                       "from step to step, as another slow variable");
  const std::size_t driver = latitude.driver();
  const double period = latitude.axis(ready.q, ready.v).period;
  if (!(period > 0.0) || !std::isfinite(period))
    throw RequestError("system \"" + system.name() +
                       "\" has no averaged rates from this start: its driver does not return");
  ExactFlow<double> flow(system, chosen);
  const ModifiedFieldOptions options{.terms = 1, .half_width = 8};
  std::vector<double> q = ready.q, v = ready.v;
  double t = 0.0;
  std::array<double, 2> axis{}, pair{};  // even points, all points
  for (int k = 0; k < points; ++k) {
    const Latitude::Direction w = latitude.axis(q, v).direction;
    double along = 0.0, trace = 0.0;
    for (std::size_t column = 0; column < 3; ++column) {
      const auto state = states.at(q[driver], v[driver], column);
      const ModifiedField<Number> found =
          logarithm(logarithm.start(state.q, state.v), Number(0x1p-5), options);
      if (!found.failure.empty()) throw RequestError(found.failure);
      std::vector<double> slope;
      for (const Number& entry : found.coefficients.front())
        slope.push_back(static_cast<double>(entry));
      const auto middle = slope.begin() + static_cast<std::ptrdiff_t>(q.size());
      std::vector<double> moved(slope.begin(), middle), pushed(middle, slope.end());
      moved[driver] = q[driver];
      const std::vector<double> image = states.passengers.variables(moved, pushed);
      for (std::size_t row = 0; row < 3; ++row) along += w[row] * image[row] * w[column];
      trace += image[column];
    }
    for (std::size_t set = k % 2 == 0 ? 0 : 1; set < 2; ++set) {
      axis[set] += 2.0 * along;
      pair[set] += trace - along;
    }
    if (!flow.advance(t, q, v, period / points)) {
      throw RequestError("the equations of system \"" + system.name() +
                         "\" cannot be integrated from this start");
    }
  }
  const int even = (points + 1) / 2;
  AveragedRates rates{.power = logarithm.first_power()};
  rates.axis = axis[1] / points;
  rates.pair = pair[1] / points;
  rates.error = numeric::larger(std::fabs(rates.axis - axis[0] / even),
                                std::fabs(rates.pair - pair[0] / even));
  return rates;
}
}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE

}  // namespace dalembert
