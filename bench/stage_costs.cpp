#include <cstdio>
#include <memory>
#include <string>

#include "bench.hpp"
#include "dalembert/audit/step_map.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/in_chart.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/group_systems.hpp"
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

Timed steps_on_group(const test_support::GroupSystem& problem, const Method& method,
                     StepSolver solver) {
  const auto program = StepProgram::compile(problem.system, method, {.solver = solver});
  const auto stepper = std::make_shared<Stepper>(program, step_size);
  const Point start = StepMap<double>(problem.system, method, problem.system.default_parameters())
                          .start(problem.q, problem.v);
  Point point = start;
  const StepReport report = stepper->advance(point, 0.0, 0, 100);
  return {{method.name(),
           [stepper, start](std::uint64_t steps) {
             Point moving = start;
             static_cast<void>(stepper->advance(moving, 0.0, 0, steps));
           }},
          static_cast<double>(report.iterations) / static_cast<double>(report.steps)};
}

/// Steps on groups in accelerations, of which a step of runge-kutta-4 has four.
void print_stages_on_groups() {
  std::printf(
      "\n| group | method | accelerations, by sweeps | by Newton's iteration | sweeps |\n"
      "|---|---|---:|---:|---:|\n");
  for (const auto& problem :
       {test_support::suslov(), test_support::rolling_ball(), test_support::heavy_top()}) {
    for (const Method& method :
         {Method(Gauss{.stages = 2}), Method(Gauss{.stages = 4}), Method(Gauss{.stages = 8}),
          Method(InChart{.base = EnergyCollocation{.stages = 2}})}) {
      if (method.misfit(problem.system)) continue;
      if (StepProgram::compile(problem.system, method)->tape().stages.empty()) continue;
      const Timed sweeps = steps_on_group(problem, method, StepSolver::structured);
      std::vector<Candidate> candidates{
          steps_on_group(problem, RungeKutta4{}, StepSolver::structured).candidate,
          sweeps.candidate, steps_on_group(problem, method, StepSolver::newton).candidate};
      time_by_turns(candidates, 100, 40);
      const auto accelerations = [&](std::size_t i) {
        return 4.0 * candidates[i].nanoseconds / candidates[0].nanoseconds;
      };
      std::printf("| %s | %s | %.0f | %.0f | %.1f |\n", problem.system.name().c_str(),
                  label(method.spec()).c_str(), accelerations(1), accelerations(2), sweeps.passes);
      std::fflush(stdout);
    }
  }
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
  print_stages_on_groups();
}

}  // namespace bench
