// Prints the costs of one problem, method and number of bodies; growth.py makes the table.
//
//   dalembert_growth PROBLEM METHOD BODIES

#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study.hpp"
#include "dalembert/study/method_text.hpp"

namespace {

using namespace dalembert;
using Clock = std::chrono::steady_clock;

constexpr double step_size = 0.0125;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Of `chaotic`: all oscillators in motion.
Start start_of_chaotic(std::size_t n) {
  Start start;
  start.q.assign(2 * n + 1, 1.0);
  start.v.assign(2 * n + 1, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    start.q[1 + i] = 0.6 / std::sqrt(double(n)) * std::cos(double(i));
    start.v[1 + i] = std::sin(double(i + 1));
  }
  return start;
}

/// Of `wheeled-chain`: the start `circle` of its file, for any size.
Start start_of_chain(std::size_t n) {
  const double angle = 0.1, radius = 0.5 / std::sin(0.5 * angle);
  Start start;
  for (const double quarter : {0.0, std::acos(0.0)}) {
    for (std::size_t i = 0; i <= n; ++i) {
      start.q.push_back(radius * std::cos(angle * double(i) - quarter));
      start.v.push_back(-std::sin(angle * double(i) - quarter));
    }
  }
  return start;
}

/// The least time of a step in several rounds of four; refused steps end the program.
double seconds_of_a_step(Stepper& stepper, Point& point) {
  constexpr std::uint64_t rounds = 5, steps = 4;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    if (stepper.advance(point, 0.0, steps * round, steps).steps != steps)
      throw std::runtime_error("a step was refused");
    least = numeric::smaller(seconds_since(begin) / double(steps), least);
  }
  return least;
}

/// Prints read, start, compile and step in seconds, the lines of the tape, and the largest
/// violation of a constraint and the change of the energy, relative, after the steps.
void print_costs(const std::string& name, const std::string& method, int bodies) {
  auto begin = Clock::now();
  const Problem problem = load_problem(name, {.sizes = {{"n", bodies}}});
  const double read = seconds_since(begin);
  begin = Clock::now();
  Evaluator evaluator(problem.system);
  const auto count = std::size_t(bodies);
  const Start start =
      prepare_start(evaluator, name == "chaotic" ? start_of_chaotic(count) : start_of_chain(count));
  const double ready = seconds_since(begin);
  begin = Clock::now();
  const auto program =
      StepProgram::compile(problem.system, make_method(study::parse_method(method)));
  const double compiled = seconds_since(begin);
  Stepper stepper(program, step_size);
  Point point = start_point(stepper, evaluator, start.q, start.v);
  const double energy = evaluator.energy(0.0, point.q, point.v),
               step = seconds_of_a_step(stepper, point);
  std::printf("%.6g %.6g %.6g %.6g %zu %.1e %.1e\n", read, ready, compiled, step,
              program->tape().code.size(), evaluator.constraint_error(point.t, point.q, point.v),
              std::fabs(evaluator.energy(point.t, point.q, point.v) / energy - 1.0));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "dalembert_growth PROBLEM METHOD BODIES\n");
    return 2;
  }
  try {
    print_costs(arguments[1], arguments[2], std::stoi(arguments[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
