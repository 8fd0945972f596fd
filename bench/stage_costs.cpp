#include <cstdio>
#include <memory>
#include <string>

#include "bench.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr double step_size = 0.1;

/// Steps of one method by one solver, and how many Newton passes a step takes.
struct Timed {
  Candidate candidate;
  double passes = 0.0;
};

Timed steps_of(const test_support::SmallSystem& problem, const MethodSpec& spec,
               StepSolver solver) {
  const auto program =
      StepProgram::compile(problem.system, make_method(spec),
                           {.compensated = false, .wrap_angles = true, .solver = solver});
  const auto stepper = std::make_shared<Stepper>(program, step_size);
  Evaluator evaluator(problem.system);
  const Point start = start_point(*stepper, evaluator, problem.q, problem.v);
  Point point = start;
  const StepReport report = stepper->advance(point, 0.0, 0, 2000);
  return {{spec.name,
           [stepper, start](std::uint64_t steps) {
             Point moving = start;
             static_cast<void>(stepper->advance(moving, 0.0, 0, steps));
           }},
          static_cast<double>(report.iterations) / static_cast<double>(report.steps)};
}

/// Cost of the structured solver relative to dla01 and to the plain one, and its passes.
void print_cell(const test_support::SmallSystem& problem, const MethodSpec& spec) {
  const Timed unit = steps_of(problem, {"dla01", {}}, StepSolver::structured);
  const Timed structured = steps_of(problem, spec, StepSolver::structured);
  const Timed plain = steps_of(problem, spec, StepSolver::plain);
  std::vector<Candidate> candidates{unit.candidate, structured.candidate, plain.candidate};
  time_by_turns(candidates, 300, 40);
  const auto ns = [&](std::size_t i) { return candidates[i].nanoseconds; };
  std::printf(" %.1f | %.2f | %.1f |", ns(1) / ns(0), ns(1) / ns(2), structured.passes);
}

}  // namespace

void print_stage_costs() {
  std::printf(
      "\n| method | stages | pendulum-cvt: to dla01 | to plain Newton | passes | chaotic, n = 3: "
      "to "
      "dla01 | to plain Newton | passes |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const char* method : {"lobatto", "spark", "gauss"}) {
    for (const double stages : {2.0, 3.0, 4.0, 5.0}) {
      const MethodSpec spec{method, {{"stages", stages}}};
      std::printf("| %s | %.0f |", method, stages);
      print_cell(test_support::pendulum_cvt(), spec);
      print_cell(test_support::chaotic(), spec);
      std::printf("\n");
      std::fflush(stdout);
    }
  }
}

}  // namespace bench
