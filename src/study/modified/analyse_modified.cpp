#include "dalembert/study/modified/analyse_modified.hpp"

#include <cmath>
#include <limits>
#include <memory>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"

namespace dalembert::study {
namespace {

std::vector<double> doubles(const std::vector<Extended>& values) {
  std::vector<double> result;
  for (const Extended& value : values) result.push_back(static_cast<double>(value));
  return result;
}

/// The gradients of the energy and the declared integrals, one after the other, in (q, v).
StateFunction<Extended> integral_gradients(const RunPlan& plan) {
  const System& system = plan.system;
  const Symbols s = system.symbols();
  const Vector state = concatenate({s.q, s.v});
  Vector outputs = gradient(system.energy(s.q, s.v), state);
  for (const auto& [name, value] : system.mechanics().integrals)
    outputs = concatenate({outputs, gradient(value, state)});
  return {system, s, outputs, plan.parameters};
}

ModifiedPoint point_of(const BasicPoint<Extended>& point, const ModifiedField<Extended>& found,
                       std::span<const Extended> gradients, double h) {
  ModifiedPoint result;
  result.t = static_cast<double>(point.t);
  result.q = doubles(point.q);
  result.v = doubles(point.v);
  result.field = doubles(found.field);
  result.modified = doubles(found.modified);
  result.remainder = found.error;
  result.half_width = found.half_width;
  const double size = numeric::larger(numeric::largest_size<double>(result.q),
                                      numeric::largest_size<double>(result.v));
  result.noise = std::numeric_limits<double>::epsilon() * numeric::larger(1.0, size) / h;
  for (const auto& coefficient : found.coefficients)
    result.coefficients.push_back(doubles(coefficient));
  result.coefficient_errors = found.coefficient_errors;
  const std::size_t n = found.modified.size();
  for (std::size_t first = 0; first < gradients.size(); first += n) {
    Extended sum(0.0);
    for (std::size_t i = 0; i < n; ++i) sum += gradients[first + i] * found.modified[i];
    result.integral_slopes.push_back(static_cast<double>(sum));
  }
  return result;
}

bool is_cancelled(const ModifiedOptions& options) {
  return options.cancelled != nullptr && *options.cancelled;
}

void follow(ModifiedAnalysis& analysis, const ModifiedOptions& options) {
  const RunPlan& plan = analysis.plan;
  const Method& method = plan.program->method();
  StepLogarithm<Extended> logarithm(plan.system, method, plan.parameters);
  StateFunction<Extended> gradients = integral_gradients(plan);
  BasicPoint<Extended> point = logarithm.start(plan.q, plan.v);
  if (plan.lambda && !point.lambda.empty())
    point.lambda.assign(plan.lambda->begin(), plan.lambda->end());
  const Extended h(plan.step);
  const auto last = static_cast<std::uint64_t>(options.points - 1);
  std::uint64_t taken = 0;
  for (std::uint64_t k = 0; k <= last && !is_cancelled(options); ++k) {
    const std::uint64_t node = last == 0 ? 0 : k * plan.steps / last;
    const bool arrived = logarithm.step_map().apply(point, h, node - taken);
    taken = node;
    const auto found =
        arrived ? logarithm(point, h, {.terms = options.terms, .half_width = options.half_width})
                : ModifiedField<Extended>{.failure = "a step was refused"};
    if (!found.failure.empty()) {
      analysis.failure = found.failure;
      return;
    }
    analysis.powers = found.powers;
    analysis.points.push_back(
        point_of(point, found, gradients(point.t, point.q, point.v), plan.step));
  }
}

void measure_drifts(ModifiedAnalysis& analysis, const Start& start,
                    const ModifiedOptions& options) {
  const RunPlan& plan = analysis.plan;
  analysis.drifts = window_rates(plan.system, plan.program->method(), start, plan.step,
                                 options.window, RateScale::linear, plan.parameters);
}

void predict_rates(ModifiedAnalysis& analysis, const Start& start, const ModifiedOptions&) {
  const RunPlan& plan = analysis.plan;
  try {
    analysis.rates =
        predicted_rates(plan.system, plan.program->method(), start, plan.step, plan.parameters);
  } catch (const RequestError& reason) {
    analysis.without_rates = reason.what();
  }
}

void average_rates(ModifiedAnalysis& analysis, const Start& start, const ModifiedOptions&) {
  const RunPlan& plan = analysis.plan;
  const Method& method = plan.program->method();
  try {
    // In double the coefficient of a high power is noise.
    analysis.averages = method.facts().order <= 4
                            ? averaged_rates<double>(plan.system, method, start, plan.parameters)
                            : averaged_rates<Extended>(plan.system, method, start, plan.parameters);
  } catch (const RequestError& reason) {
    analysis.without_averages = reason.what();
  }
}

}  // namespace

double ModifiedPoint::size() const { return numeric::largest_size<double>(field); }

double ModifiedPoint::change() const {
  std::vector<double> difference = modified;
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= field[i];
  return numeric::largest_size<double>(difference);
}

ModifiedAnalysis analyse_modified(const RunPlan& plan, const ModifiedOptions& options) {
  ModifiedAnalysis analysis{.plan = plan};
  analysis.steps_as_one = steps_near_identity(plan.system, plan.program->method());
  follow(analysis, options);
  const Start start{.q = plan.q, .v = plan.v, .lambda = plan.lambda};
  analysis.without_rates = analysis.without_averages = "interrupted";
  for (const auto measure : {measure_drifts, predict_rates, average_rates}) {
    analysis.is_interrupted = is_cancelled(options);
    if (analysis.is_interrupted) return analysis;
    measure(analysis, start, options);
  }
  return analysis;
}

}  // namespace dalembert::study
