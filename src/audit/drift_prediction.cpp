#include "dalembert/audit/drift_prediction.hpp"

#include <cmath>
#include <optional>
#include <string>

#include "dalembert/audit/rates/predicted_rates.hpp"
#include "dalembert/audit/rates/window_rate.hpp"
#include "dalembert/error.hpp"
#include "dalembert/measure/latitude.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

using Predictions = std::map<std::string, PredictedChange>;

/// From a window at the beginning. The rate may go on changing as it does between the halves of the
/// window, along the parabola through their rates.
PredictedChange of_window(const WindowRate& window) {
  const double half = 0.5 * window.time;
  const double trend = std::fabs(window.halves[2] - window.halves[0]) / half;
  const double bend =
      4.0 * std::fabs(window.halves[2] - 2.0 * window.halves[1] + window.halves[0]) / (half * half);
  return {
      .change = [rate = window.rate](double t) { return rate * t; },
      .error = [=, error = window.error](
                   double t) { return error * t + trend * t * t / 2.0 + bend * t * t * t / 6.0; }};
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

/// What a curve of the exponents may be off: by the difference that another number of turns makes,
/// whose step is another, as far as the step of the run is away; by that of the turns that follow,
/// which goes on; and by round-off of rates.
template <class Curve>
PredictedChange of_modes(const PredictedRates& rates, double step, Curve curve) {
  const PassengerExponents map = rates.map;
  const double further =
      numeric::larger(1.0, std::fabs((step - map.step) / (rates.other.step - map.step)));
  const double walk = rates.modes.front().error;
  const auto change = [curve](const PassengerExponents& exponents, double t) {
    return curve(exponents, t) - curve(exponents, 0.0);
  };
  return {.change = [=](double t) { return change(map, t); },
          .error =
              [=, other = rates.other, later = rates.later](double t) {
                const double here = change(map, t);
                double error = further * std::fabs(change(other, t) - here) +
                               walk * t * std::fabs(curve(map, t));
                if (later)
                  error += std::fabs(change(*later, t) - here) * numeric::larger(1.0, t / map.time);
                return error;
              },
          .by_modes = true};
}

/// The size of the latitude: half of its square is the energy in the mode along the axis.
double latitude_size(const PassengerExponents& exponents, double t) {
  const RateMode axis = exponents.modes().front();
  return std::sqrt(2.0 * exponents.energy_after(0.0) * axis.share) *
         numeric::exp(0.5 * axis.rate * t);
}

/// The passengers' energy, the whole energy and the latitude.
void by_modes(const LongRun& run, const PredictedRates& rates, Predictions& predictions) {
  const PredictedChange energy = of_modes(
      rates, run.step, [](const PassengerExponents& map, double t) { return map.energy_after(t); });
  predictions["energy"] = of_modes(rates, run.step, [](const PassengerExponents& map, double t) {
    return map.energy_after(t) + map.driver_rate * t;
  });
  const auto& integrals = run.problem.system.mechanics().integrals;
  for (std::size_t i = 0; i < integrals.size(); ++i)
    if (is_passenger_energy(run, i)) predictions[integrals[i].first] = energy;
  // What a multiplier, or what is off the constraints, does from step to step is over in two, or
  // beats with the axis.
  if (rates.modes.back().kind == RateMode::Kind::multiplier && !rates.map.alternates) return;
  try {
    Latitude latitude(run.problem.system, run.problem.parameters);
    const double sign = latitude(run.problem.q, run.problem.v) < 0.0 ? -1.0 : 1.0;
    predictions["latitude"] = of_modes(
        rates, run.step,
        [sign](const PassengerExponents& map, double t) { return sign * latitude_size(map, t); });
  } catch (const RequestError&) {  // passengers in more than three dimensions have none
  }
}

}  // namespace

std::map<std::string, PredictedChange> predicted_changes(const LongRun& run, const Method& method) {
  Predictions predictions;
  if (method.tolerance() > 0.0) return predictions;
  const double duration = run.step * static_cast<double>(run.steps);
  const double time = numeric::smaller(500.0, 0.5 * duration);
  const Start start{.q = run.problem.q, .v = run.problem.v};
  for (const WindowRate& window : window_rates(run.problem.system, method, start, run.step, time,
                                               RateScale::linear, run.problem.parameters)) {
    if (std::isfinite(window.rate)) predictions[window.integral] = of_window(window);
  }
  if (const auto rates = rates_of(run, method, start)) by_modes(run, *rates, predictions);
  return predictions;
}

namespace {

/// The largest slope that a line of least squares can have through values that are no larger than
/// these.
double largest_slope(const std::vector<double>& t, const std::vector<double>& bounds) {
  double mean = 0.0, sum = 0.0, squares = 0.0;
  for (const double time : t) mean += time / static_cast<double>(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    sum += std::fabs(t[i] - mean) * bounds[i];
    squares += (t[i] - mean) * (t[i] - mean);
  }
  return sum / squares;
}

}  // namespace

std::optional<DriftPrediction> seen_prediction(const PredictedChange& predicted,
                                               const Series& samples) {
  std::vector<double> change, error, rest;
  for (std::size_t i = 0; i < samples.t.size(); ++i) {
    const double time = samples.t[i] - samples.t.front();
    change.push_back(predicted.change(time));
    error.push_back(predicted.error(time));
    rest.push_back(samples.y[i] - change.back());
    // A straight line through what grows a millionfold says nothing.
    const double size = std::fabs(change.back());
    if (!(size < 1e6) || !std::isfinite(error.back())) return std::nullopt;
  }
  const Drift beyond = fit_drift(samples.t, rest);
  return DriftPrediction{fit_drift(samples.t, change).slope.value, largest_slope(samples.t, error),
                         predicted.by_modes, beyond.sure_slope, beyond.oscillation};
}

Drift settled_drift(const Drift& measured, const std::optional<DriftPrediction>& predicted,
                    double initial) {
  const double size = numeric::larger(1.0, std::fabs(initial));
  if (!predicted || !predicted->by_modes || !predicted->agrees() ||
      !(predicted->rest_size <= 0.1 * size) || !(predicted->error < measured.slope.uncertainty()))
    return measured;
  Drift drift = measured;
  const double slope = predicted->slope, error = predicted->error;
  drift.slope = {slope, slope - error, slope + error, measured.slope.confidence};
  drift.sure_slope = {slope, slope - error, slope + error, sure_confidence};
  drift.is_steady = true;
  return drift;
}

}  // namespace dalembert
