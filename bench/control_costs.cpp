// What optimal control costs: searches from random controls, and one that begins where another has
// ended, in seconds and in runs of as many steps.

#include <chrono>
#include <cstdio>

#include "bench.hpp"
#include "dalembert/control/optimal_control.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/step/stepper.hpp"

namespace {

using namespace dalembert;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A robot moves one length to its side, from rest to rest in a time of 4.
ControlOptions parking(std::uint64_t steps) {
  ControlOptions options{.step = 4.0 / static_cast<double>(steps), .steps = steps};
  options.by = {"tau_l", "tau_r"};
  options.cost = SensitiveQuantity{"effort", [](const Symbols& s, const Vector&) {
                                     return s["tau_l"] * s["tau_l"] + s["tau_r"] * s["tau_r"];
                                   }};
  options.end = StartChoice({0.0, 1.0, 0.0, 0.0, 0.0}, std::vector<double>(5, 0.0));
  options.trials = 2;
  return options;
}

void print_costs(const Problem& problem, std::uint64_t steps, double step_seconds) {
  ControlOptions options = parking(steps);
  const auto before = Clock::now();
  const OptimalControl found = optimal_control(problem, Dla01{}, "starting", options);
  const double search = seconds_since(before);
  if (!found.ok()) {
    std::printf("| %d | %s |\n", static_cast<int>(steps), found.message.c_str());
    return;
  }
  // From what was found: a search less, and the same refinement of the grid.
  options.trials = 0;
  options.guesses = {found.controls};
  const auto again = Clock::now();
  static_cast<void>(optimal_control(problem, Dla01{}, "starting", options));
  const double close = seconds_since(again);
  const double run = static_cast<double>(steps) * step_seconds;
  std::printf("| %d | %.2f | %.2f | %.0f | %.0f |\n", static_cast<int>(steps), search, close,
              search / run, close / run);
}

}  // namespace

int main() {
  const Problem problem = load_problem("differential-drive");
  Stepper stepper(StepProgram::compile(problem.system, Dla01{}), 0.1);
  const Point start = stepper.make_point(problem.start("turning").q, problem.start("turning").v);
  std::vector<bench::Candidate> candidates{{"step", [&](std::uint64_t steps) {
                                              Point point = start;
                                              static_cast<void>(
                                                  stepper.advance(point, 0.0, 0, steps));
                                            }}};
  bench::time_by_turns(candidates, 1000, 9);
  std::printf(
      "| steps | two searches: s | from a solution: s | two searches: in runs | from a solution: "
      "in "
      "runs |\n|---:|---:|---:|---:|---:|\n");
  for (const std::uint64_t steps : {25U, 100U, 400U, 1600U})
    print_costs(problem, steps, 1e-9 * candidates[0].nanoseconds);
}
