#include "dalembert/sensitivity/lyapunov.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/ready_run.hpp"
#include "dalembert/sensitivity/differentiable.hpp"
#include "dalembert/sensitivity/tangent_bundle.hpp"
#include "measure/student_distribution.hpp"
#include "sensitivity/tangent_set.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_means_shown = 1000;

/// The two-sided quantile of Student's t for 95 %.
double student_quantile(int degrees) {
  double low = 0.0, high = 100.0;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (student_distribution(middle, degrees) < 0.975 ? low : high) = middle;
  }
  return high;
}

/// The mean of numbers with its interval, made longer by `systematic` on both sides.
Estimate mean_of(const std::vector<double>& values, double systematic) {
  const auto n = static_cast<double>(values.size());
  double mean = 0.0, squares = 0.0;
  for (const double value : values) mean += value / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half = systematic + student_quantile(static_cast<int>(values.size()) - 1) *
                                       std::sqrt(squares / (n - 1.0) / n);
  return {mean, mean - half, mean + half};
}

/// The logarithms of how far tangents have grown, by the steps at which they were looked at.
struct TangentGrowth {
  std::size_t count = 0;
  std::vector<std::uint64_t> step{0};
  std::vector<double> logarithm;  ///< [times x count]

  explicit TangentGrowth(std::size_t tangents) : count(tangents), logarithm(tangents, 0.0) {}
  double at(std::size_t time, std::size_t i) const { return logarithm[time * count + i]; }
  std::size_t time_of(double wanted) const {
    const auto found =
        std::ranges::lower_bound(step, static_cast<std::uint64_t>(std::llround(wanted)));
    return static_cast<std::size_t>((found == step.end() ? found - 1 : found) - step.begin());
  }
};

void set_estimates(LyapunovSpectrum& result, const TangentGrowth& growth,
                   const LyapunovOptions& options) {
  const auto last = static_cast<double>(growth.step.back()), first = options.settle * last;
  std::vector<std::size_t> edges;
  for (std::size_t b = 0; b <= options.blocks; ++b)
    edges.push_back(growth.time_of(first + (last - first) * static_cast<double>(b) /
                                               static_cast<double>(options.blocks)));
  std::vector<std::vector<double>> rates(growth.count + 1);
  for (std::size_t b = 0; b < options.blocks; ++b) {
    const std::size_t begin = edges[b], end = edges[b + 1];
    const double time = static_cast<double>(growth.step[end] - growth.step[begin]) * options.step;
    if (!(time > 0.0))
      throw RequestError("until is " + to_string(options.until) +
                         "; exponents need a time in which "
                         "tangents are looked at " +
                         std::to_string(2 * options.blocks) + " times or more");
    double sum = 0.0;
    for (std::size_t i = 0; i < growth.count; ++i) {
      const double rate = (growth.at(end, i) - growth.at(begin, i)) / time;
      rates[i].push_back(rate);
      sum += rate;
    }
    rates.back().push_back(sum);
  }
  // Tangents that grow or shrink like t have no exponent, but their mean rate is this; in the sum
  // of all such powers cancel.
  const double from = numeric::larger(first, last / static_cast<double>(options.blocks));
  const double power = numeric::log(last / from) / ((last - first) * options.step);
  for (std::size_t i = 0; i < growth.count; ++i)
    result.exponents.push_back(mean_of(rates[i], power));
  const bool has_all = growth.count == result.dimension;
  const auto count = static_cast<double>(growth.count);
  const double round_off = count * static_cast<double>(growth.step.size()) *
                           std::numeric_limits<double>::epsilon() / ((last - first) * options.step);
  result.sum = mean_of(rates.back(), has_all ? round_off : count * power);
}

void set_running_means(LyapunovSpectrum& result, const TangentGrowth& growth,
                       const LyapunovOptions& options) {
  const std::size_t first =
      growth.time_of(options.settle * static_cast<double>(growth.step.back()));
  const std::size_t count = growth.step.size() - 1 - first,
                    every = std::max<std::size_t>(1, count / most_means_shown);
  for (std::size_t k = first + every; k < growth.step.size(); k += every) {
    const double time = static_cast<double>(growth.step[k] - growth.step[first]) * options.step;
    result.t.push_back(static_cast<double>(growth.step[k]) * options.step);
    for (std::size_t i = 0; i < growth.count; ++i)
      result.running.push_back((growth.at(k, i) - growth.at(first, i)) / time);
  }
}

void check_options(const LyapunovOptions& options) {
  if (!(options.settle >= 0.0 && options.settle < 1.0))
    throw RequestError("settle is " + to_string(options.settle) +
                       "; it must be a fraction of the time, at least 0 and below 1");
  if (options.blocks < 4)
    throw RequestError("blocks is " + std::to_string(options.blocks) + "; it must be at least 4");
}

}  // namespace

LyapunovSpectrum lyapunov_exponents(const Problem& problem, const Method& method,
                                    const StartChoice& start, const LyapunovOptions& options) {
  check_options(options);
  refuse_acting_events(problem);
  const System& system = problem.system;
  const std::uint64_t steps = asked_steps(options.step, options.until, 0).whole;
  ReadyRun run(problem, method, start, options.parameters, options.step);
  const StepOptions compiled{.compensated = options.compensated};
  const auto program = StepProgram::compile(system, run.method, compiled);
  Point point =
      first_point(Stepper(program, options.step, run.parameters), run.evaluator, run.start);

  LyapunovSpectrum result;
  TangentSet tangents(system, run.method, run.parameters);
  tangents.span_set(point);
  result.dimension = tangents.count();
  const std::size_t wanted = options.exponents.value_or(result.dimension);
  if (wanted > result.dimension || options.exponents == 0)
    throw RequestError("exponents is " + std::to_string(wanted) + "; system \"" + system.name() +
                       "\" has " + std::to_string(result.dimension) +
                       ", the dimension of its constraint set");
  while (tangents.count() > wanted) tangents.drop_last();
  const std::size_t count = tangents.count();
  TangentBundle bundle(system, run.method, {}, count, options.step, run.parameters, compiled);
  bundle.set_point(point);
  for (std::size_t i = 0; i < count; ++i) bundle.set_tangent(i, tangents[i]);
  TangentGrowth growth(count);
  // Tangents that are alike have lost as many digits as the logarithm of how differently they grew.
  constexpr double most_growth = 1e5, least_growth = 1e2;
  std::uint64_t interval = 1;
  while (result.steps < steps) {
    const std::uint64_t next = std::min<std::uint64_t>(interval, steps - result.steps);
    const StepReport report = bundle.advance(0.0, result.steps, next);
    if (report.status != StepStatus::ok) {
      result.message =
          failure_text(*program, report, result.steps + report.steps, bundle.point().t);
      result.status = LyapunovSpectrum::Status::failed;
    }
    result.steps += report.steps;
    if (options.steps_done != nullptr) *options.steps_done += report.steps;
    if (options.cancelled != nullptr && *options.cancelled)
      result.status = LyapunovSpectrum::Status::stopped;
    if (!result.ok()) break;
    double largest = 1.0, smallest = 1.0;
    const std::vector<double> before(growth.logarithm.end() - static_cast<std::ptrdiff_t>(count),
                                     growth.logarithm.end());
    point = bundle.point();
    for (std::size_t i = 0; i < count; ++i) {
      bundle.get_tangent(i, tangents[i]);
      tangents.bring_back(i, point);
      const double length = tangents.normalise(i);
      bundle.set_tangent(i, tangents[i]);
      growth.logarithm.push_back(before[i] + numeric::log(length));
      largest = numeric::larger(largest, length);
      smallest = numeric::smaller(smallest, length);
    }
    growth.step.push_back(result.steps);
    const double apart = largest / smallest;
    if (!(smallest > 0.0) || !(largest < std::numeric_limits<double>::infinity())) {
      result.message = "at t = " + to_string(point.t) + " a perturbation of the motion of \"" +
                       system.name() + "\" has no length any more, or one that is no number";
      result.status = LyapunovSpectrum::Status::failed;
      break;
    }
    if (apart > most_growth && interval > 1) interval /= 2;
    if (apart < least_growth && interval < steps / (64 * options.blocks)) interval *= 2;
  }
  if (result.ok()) set_estimates(result, growth, options);
  set_running_means(result, growth, options);
  return result;
}

}  // namespace dalembert
