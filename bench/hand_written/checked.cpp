#include "checked.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr std::uint64_t compared_steps = 300;

// Writing to it keeps the computation.
volatile double sink = 0.0;

Motion motion_of(const Point& point) {
  Motion motion{{}, {}, 0.0, 0.0, transmission_epsilon};
  std::copy(point.q.begin(), point.q.end(), motion.q);
  std::copy(point.v.begin(), point.v.end(), motion.v);
  if (!point.lambda.empty()) motion.lambda = point.lambda[0];
  return motion;
}

/// Positions without turns, velocities, and the multiplier where it belongs to the state.
std::vector<double> numbers_of(const Point& point) {
  std::vector<double> numbers = point.q;
  for (std::size_t i = 0; i < point.q.size(); ++i)
    numbers[i] += 2.0 * std::numbers::pi * point.turns[i];
  numbers.insert(numbers.end(), point.v.begin(), point.v.end());
  numbers.insert(numbers.end(), point.lambda.begin(), point.lambda.end());
  return numbers;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = numeric::larger(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::vector<double> numbers_after(Stepper& stepper, Point point) {
  if (stepper.advance(point, 0.0, 0, compared_steps).status != StepStatus::ok)
    throw std::runtime_error("the engine's steps failed");
  return numbers_of(point);
}

/// How much larger differences of starts become.
double amplification(Stepper& stepper, const Point& start, const std::vector<double>& end) {
  constexpr double displacement = 0x1p-20;
  double largest = 1.0;
  for (std::size_t i = 0; i < start.q.size(); ++i) {
    Point beside = start;
    beside.q[i] += displacement;
    largest = numeric::larger(
        largest, largest_difference(numbers_after(stepper, beside), end) / displacement);
  }
  return largest;
}

}  // namespace

Stepper stepper_of(const std::shared_ptr<const StepProgram>& program, double step) {
  Stepper stepper(program, step);
  if (program->parameter_slots().size() == 1)
    stepper.set_parameters(std::vector<double>{transmission_epsilon});
  return stepper;
}

Point start_of(const Stepper& stepper, const test_support::SmallSystem& problem) {
  Evaluator evaluator(problem.system);
  return start_point(stepper, evaluator, problem.q, problem.v);
}

std::function<void(std::uint64_t)> checked_kernel(HandKernel kernel,
                                                  const std::shared_ptr<const StepProgram>& program,
                                                  const test_support::SmallSystem& problem,
                                                  double step) {
  Stepper stepper = stepper_of(program, step);
  const Point start = start_of(stepper, problem);
  const std::vector<double> expected = numbers_after(stepper, start);
  Motion motion = motion_of(start);
  const std::uint64_t taken = kernel(motion, step, compared_steps);
  Point point = start;
  std::copy_n(motion.q, point.q.size(), point.q.begin());
  std::copy_n(motion.v, point.v.size(), point.v.begin());
  if (!point.lambda.empty()) point.lambda[0] = motion.lambda;
  if (point.q.size() == 3) point.turns[2] = motion.turns;
  // Either side rounds a step's numbers some times, and what it loses grows as any difference does.
  const double tolerance = 8.0 * std::numeric_limits<double>::epsilon() * double(compared_steps) *
                           amplification(stepper, start, expected);
  const double difference = largest_difference(numbers_of(point), expected);
  if (taken != compared_steps || !(difference <= tolerance)) {
    std::ostringstream text;
    text << "the hand-written steps of " << label(program->method().spec()) << " on "
         << program->system().name() << " are not the engine's: they differ by " << difference
         << ", of which round-off explains " << tolerance;
    throw std::runtime_error(text.str());
  }
  const Motion first = motion_of(start);
  return [kernel, first, step](std::uint64_t steps) {
    Motion moving = first;
    if (kernel(moving, step, steps) != steps)
      throw std::runtime_error("the hand-written kernel failed");
    sink = moving.q[0];
  };
}

}  // namespace bench
