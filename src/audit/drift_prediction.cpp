#include "drift_prediction.hpp"

#include <cmath>
#include <optional>
#include <string>

#include "dalembert/audit/predicted_rates.hpp"
#include "dalembert/audit/window_rate.hpp"
#include "dalembert/error.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

/// What a straight line over a curve that bends may be off: batches and least squares weigh its
/// parts differently, and smoothed energies begin at another phase of the oscillation.
constexpr double bend = 0.02;

/// The slope of least squares through exp(r t) over a duration.
double slope_of_exponential(double rate, double duration) {
  const double x = rate * duration;
  // Beyond a factor of a thousand no straight line says anything.
  if (std::fabs(x) < 1e-3 || x > 7.0) return rate;
  // 12 int (s - 1/2) exp(x s) ds over [0, 1], per duration.
  const double integral = ((x - 2.0) * std::exp(x) + x + 2.0) / (2.0 * x * x);
  return 12.0 * integral / duration;
}

/// What round-off may add to a slope over the run, per size of the quantity: see "exact".
double round_off_slope(const DriftFinding& finding, double duration) {
  return 1e-11 * numeric::larger(1.0, std::fabs(finding.initial)) / duration;
}

DriftPrediction of_window(const WindowRate& window, const DriftFinding& finding, double time,
                          double duration) {
  const bool keeps_sign = std::fabs(window.initial) > 2.0 * finding.largest_error;
  const double slope =
      keeps_sign ? window.initial * slope_of_exponential(window.rate / window.initial, duration)
                 : window.rate;
  // What changes between the two windows may go on changing until the end of the run.
  const double trend = window.error * 2.0 * duration / time;
  return {slope, trend + std::fabs(slope - window.rate) + bend * std::fabs(slope) +
                     round_off_slope(finding, duration)};
}

/// Whether a declared integral is the energy of the passengers: at rest, in each of their
/// coordinates, and for another driver.
bool is_passenger_energy(const LongRun& run, std::size_t index) {
  const AuditProblem& problem = run.problem;
  PassengerStates states(problem.system, problem.parameters, "modes");
  const Symbols s = problem.system.symbols();
  StateFunction<double> integral(
      problem.system, s, {problem.system.mechanics().integrals[index].second}, problem.parameters);
  const auto value = [&](const PassengerStates::State& state) {
    return integral(0.0, state.q, state.v).front();
  };
  const double xi = problem.q[states.passengers.driver()], eta = 0.75;
  const double rest = value(states.rest(xi, eta));
  if (std::fabs(value(states.rest(xi + 0.5, 2.0 * eta)) - rest) > 1e-12) return false;
  for (std::size_t column = 0; column < states.count(); ++column)
    if (std::fabs(value(states.at(xi, eta, column)) - rest - 0.5) > 1e-12) return false;
  return true;
}

std::optional<PredictedRates> rates_of(const LongRun& run, const Method& method,
                                       const Start& start) {
  try {
    return predicted_rates(run.problem.system, method, start, run.step, run.problem.parameters);
  } catch (const RequestError&) {  // another kind of system, or a method that is not linear there
    return std::nullopt;
  }
}

/// The slopes of the passengers' energy, the whole energy and the latitude.
void by_modes(const LongRun& run, const PredictedRates& rates, double duration,
              std::vector<DriftFinding>& findings) {
  const double energy = rates.initial_energy(), change = rates.fitted_change(duration);
  const double slope = energy * (change * duration < 1e3 ? change : rates.initial_rate());
  const double error = energy * rates.error() + bend * std::fabs(slope);
  const auto& integrals = run.problem.system.mechanics().integrals;
  double axis = 0.0, axis_error = 0.0;
  bool has_multiplier = false;
  for (const RateMode& mode : rates.modes) {
    has_multiplier = has_multiplier || mode.kind == RateMode::Kind::multiplier;
    if (mode.kind != RateMode::Kind::axis) continue;
    axis = 0.5 * mode.rate;
    axis_error = mode.error;
  }
  for (DriftFinding& finding : findings) {
    if (finding.quantity == "energy") {
      finding.predicted = DriftPrediction{slope + rates.driver_rate,
                                          error + round_off_slope(finding, duration), true};
    } else if (finding.quantity == "latitude") {
      if (has_multiplier) continue;  // which beats with the axis
      const double turned = finding.initial * slope_of_exponential(axis, duration);
      finding.predicted =
          DriftPrediction{turned,
                          std::fabs(finding.initial) * axis_error + bend * std::fabs(turned) +
                              round_off_slope(finding, duration),
                          true};
    } else {
      for (std::size_t i = 0; i < integrals.size(); ++i)
        if (integrals[i].first == finding.quantity && is_passenger_energy(run, i))
          finding.predicted =
              DriftPrediction{slope, error + round_off_slope(finding, duration), true};
    }
  }
}

}  // namespace

void predict_drifts(const LongRun& run, const Method& method, std::vector<DriftFinding>& findings) {
  if (findings.empty() || !findings.front().failure.empty() || method.tolerance() > 0.0) return;
  const double duration = run.step * static_cast<double>(run.steps);
  const double time = numeric::smaller(500.0, 0.5 * duration);
  const Start start{.q = run.problem.q, .v = run.problem.v};
  for (const WindowRate& window : window_rates(run.problem.system, method, start, run.step, time,
                                               RateScale::linear, run.problem.parameters)) {
    for (DriftFinding& finding : findings)
      if (finding.quantity == window.integral && std::isfinite(window.rate))
        finding.predicted = of_window(window, finding, time, duration);
  }
  if (const auto rates = rates_of(run, method, start)) by_modes(run, *rates, duration, findings);
}

}  // namespace dalembert
