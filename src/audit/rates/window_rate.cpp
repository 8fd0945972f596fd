#include "dalembert/audit/rates/window_rate.hpp"

#include <cmath>
#include <limits>
#include <memory>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

/// The values of several integrals at the nodes of a run; nan where a step was refused.
struct NodeValues {
  std::vector<std::vector<double>> of;  ///< by integral
};

NodeValues values_at_nodes(const System& system, const Method& method, const Start& start, double h,
                           double time, StateFunction<double>& integrals,
                           std::span<const double> parameters) {
  if (method.tolerance() > 0.0)
    throw RequestError("method \"" + method.name() +
                       "\" has no rate of drift at a step: it chooses its steps as it goes");
  if (!(h > 0.0) || !(time >= 16.0 * h))
    throw RequestError("a window for rates needs a step above zero and at least 16 steps");
  Evaluator evaluator(system, parameters);
  const Start ready = prepare_start(evaluator, start);
  Stepper stepper(StepProgram::compile(system, method, {.compensated = true}), h, parameters);
  Point point = start_point(stepper, evaluator, ready.q, ready.v);
  const auto steps = 2 * static_cast<std::uint64_t>(std::llround(0.5 * time / h));
  NodeValues values;
  values.of.resize(integrals.output_count());
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = steps}, [&](const Sample& sample) {
        const std::span<const double> now = integrals(sample.t, sample.point->q, sample.point->v);
        for (std::size_t i = 0; i < now.size(); ++i) values.of[i].push_back(now[i]);
        return true;
      });
  if (report.status != RunReport::Status::ok) {
    for (auto& row : values.of) row = {row.front()};
  }
  return values;
}

/// The mean of `count` increments from `first` on with the weights of the window, per step.
double windowed(const std::vector<double>& y, std::size_t first, std::size_t count) {
  double sum = 0.0, weights = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = (static_cast<double>(k) + 0.5) / static_cast<double>(count);
    const double weight = numeric::exp(-1.0 / (x * (1.0 - x)));
    sum += weight * (y[first + k + 1] - y[first + k]);
    weights += weight;
  }
  return sum / weights;
}

WindowRate rate_of(std::string name, std::vector<double> y, double h, RateScale scale) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  WindowRate result{std::move(name), nan, nan, y.front(), 0.0, {nan, nan, nan}};
  if (y.size() < 3) return result;
  double size = 1.0;
  for (double& value : y) {
    size = numeric::larger(size, std::fabs(value));
    if (scale == RateScale::logarithm) value = numeric::log(std::fabs(value));
  }
  const std::size_t whole = y.size() - 1;
  const double time = static_cast<double>(whole) * h;
  if (scale == RateScale::logarithm) size = 1.0;
  // Round-off walks at random; the window passes about as much as a straight line does.
  const double walk = 4.0 * std::numeric_limits<double>::epsilon() * size *
                      std::sqrt(static_cast<double>(whole)) / time;
  result.time = time;
  result.rate = windowed(y, 0, whole) / h;
  for (std::size_t part = 0; part < 3; ++part)
    result.halves[part] = windowed(y, part * (whole / 4), whole / 2) / h;
  result.error = std::fabs(result.rate - result.halves[0]) + walk;
  return result;
}

std::vector<double> chosen_parameters(const System& system, const Start& start,
                                      std::span<const double> parameters) {
  if (parameters.empty()) return named_parameter_values(system, start.parameters);
  return {parameters.begin(), parameters.end()};
}

}  // namespace

WindowRate window_rate(const System& system, const Method& method, const Start& start, double h,
                       const IntegralExpression& integral, double time, RateScale scale,
                       std::span<const double> parameters) {
  const std::vector<double> chosen = chosen_parameters(system, start, parameters);
  const Symbols s = system.symbols();
  StateFunction<double> function(system, s, {integral(s)}, chosen);
  NodeValues values = values_at_nodes(system, method, start, h, time, function, chosen);
  return rate_of("", std::move(values.of.front()), h, scale);
}

std::vector<WindowRate> window_rates(const System& system, const Method& method, const Start& start,
                                     double h, double time, RateScale scale,
                                     std::span<const double> parameters) {
  const std::vector<double> chosen = chosen_parameters(system, start, parameters);
  const Symbols s = system.symbols();
  std::vector<std::string> names{"energy"};
  Vector outputs{system.energy(s.q, s.v)};
  for (const auto& [name, value] : system.mechanics().integrals) {
    names.push_back(name);
    outputs.push_back(value);
  }
  StateFunction<double> function(system, s, outputs, chosen);
  NodeValues values = values_at_nodes(system, method, start, h, time, function, chosen);
  std::vector<WindowRate> rates;
  for (std::size_t i = 0; i < names.size(); ++i)
    rates.push_back(rate_of(names[i], std::move(values.of[i]), h, scale));
  return rates;
}

}  // namespace dalembert
