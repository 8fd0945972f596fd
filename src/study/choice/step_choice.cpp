#include "dalembert/study/choice/step_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert::study {
namespace {

constexpr double first_steps = 16.0, most_steps = 20000.0;
constexpr int most_trials = 60;

/// Runs a method from one start with steps of several sizes.
class Trial {
 public:
  Trial(std::shared_ptr<const StepProgram> program, const Start& start,
        std::span<const double> parameters)
      : program_(std::move(program)),
        start_(start),
        parameters_(parameters.begin(), parameters.end()) {}

  /// The largest difference to half the step over a number of steps, as the error of the step:
  /// infinite where one of the two runs fails.
  double error(double step, std::uint64_t steps) const {
    const std::vector<double> coarse = states(step, steps, 1),
                              fine = states(step / 2, 2 * steps, 2);
    if (coarse.empty() || coarse.size() != fine.size())
      return std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (std::size_t i = 0; i < coarse.size(); ++i)
      largest =
          numeric::larger(largest, std::fabs(coarse[i] - fine[i]) / (1.0 + std::fabs(fine[i])));
    const double factor = std::ldexp(1.0, order());
    return largest * factor / (factor - 1.0);
  }
  int order() const { return program_->method().facts().order; }

 private:
  /// q and v after every so many steps, one after the other; empty where a step is refused.
  std::vector<double> states(double step, std::uint64_t steps, std::uint64_t every) const {
    Stepper stepper(program_, step, parameters_);
    Evaluator evaluator(program_->system(), parameters_);
    Point point = start_point(stepper, evaluator, start_.q, start_.v);
    if (start_.lambda && start_.lambda->size() == point.lambda.size())
      point.lambda = *start_.lambda;
    std::vector<double> result;
    const RunReport report =
        integrate(stepper, evaluator, point, {.steps = steps, .observe_every = every},
                  [&](const Sample& sample) {
                    result.insert(result.end(), sample.q.begin(), sample.q.end());
                    result.insert(result.end(), sample.v.begin(), sample.v.end());
                    return std::ranges::all_of(sample.v, [](double v) { return std::isfinite(v); });
                  });
    return report.status == RunReport::Status::ok ? result : std::vector<double>{};
  }

  std::shared_ptr<const StepProgram> program_;
  const Start& start_;
  std::vector<double> parameters_;
};

/// Two digits, rounded down, so that a step can be typed again.
double in_two_digits(double step) {
  const double unit = std::pow(10.0, std::floor(std::log10(step)) - 1.0);
  const double digits = std::floor(step / unit);
  // A power of ten below one is not exact, its inverse is.
  return unit < 1.0 ? digits / std::round(1.0 / unit) : digits * unit;
}

/// The distance of nodes for a method that divides its steps: several of its substeps, so that
/// nodes cut few of them, and short enough for a picture. From a stretch of the run; where a step
/// is refused there, the run will say so.
double distance_of_nodes(const std::shared_ptr<const StepProgram>& program, const Start& start,
                         std::span<const double> parameters, double until) {
  constexpr double substeps_between = 8.0, least_nodes = 200.0;
  const double stretch = until / least_nodes;
  Stepper stepper(program, stretch, parameters);
  Evaluator evaluator(program->system(), parameters);
  Point point = start_point(stepper, evaluator, start.q, start.v);
  const RunReport report = integrate(stepper, evaluator, point, {.steps = 1}, {});
  // The substeps of a step are counted as its iterations, but for the first.
  const double taken = 1.0 + static_cast<double>(report.iterations - report.rejected);
  return in_two_digits(numeric::smaller(stretch, substeps_between * stretch / taken));
}

}  // namespace

double chosen_step(const std::shared_ptr<const StepProgram>& program, const Start& start,
                   std::span<const double> parameters, double until, double tolerance) {
  const std::string name = program->method().name();
  if (program->method().tolerance() > 0.0)
    return distance_of_nodes(program, start, parameters, until);
  const Trial trial(program, start, parameters);
  const double stretch = until / 10.0;
  double step = stretch / first_steps;
  for (int i = 0; i < most_trials; ++i) {
    const double steps = numeric::smaller(std::round(stretch / step), most_steps);
    const double error = trial.error(step, static_cast<std::uint64_t>(steps));
    const bool is_longest = step >= stretch;
    if (error <= tolerance && (is_longest || error > tolerance / 16.0)) return in_two_digits(step);
    // Half the tolerance is aimed at; what is far off is not yet of the order of the method.
    const double factor = std::pow(0.5 * tolerance / error, 1.0 / trial.order());
    const double bounded = std::isfinite(factor) ? std::clamp(factor, 0.1, 4.0) : 4.0;
    step = numeric::smaller(std::isinf(error) ? 0.25 * step : bounded * step, stretch);
    if (step < 1e-9 * until) break;
  }
  throw RequestError("no step of method \"" + name + "\" has an error below the tolerance " +
                     to_string(tolerance) + "; give a larger one, or a step");
}

}  // namespace dalembert::study
