#include "dalembert/study/choice/step_choice.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study/choice/method_search.hpp"
#include "dalembert/study/method_text.hpp"
#include "study/choice/step_cost.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

/// x'' = -4 x from x = 1 at rest: cos 2 t.
System oscillator() {
  return System::define({.name = "oscillator", .coordinates = {{"x"}}}, [](const Symbols& s) {
    return Mechanics{.kinetic = square(s.v[0]) / 2.0, .potential = 2.0 * square(s.q[0])};
  });
}

struct Run {
  StepChoice choice;
  double error = 0.0;  ///< at the last node
};

Run chosen(const std::string& name, double until, double tolerance) {
  const auto program = StepProgram::compile(oscillator(), make_method(parse_method(name)));
  Run run{choose_step(program, {.q = {1.0}, .v = {0.0}}, {}, {}, until, tolerance)};
  Stepper stepper(program, run.choice.step);
  if (run.choice.tolerance > 0.0) stepper.set_tolerance(run.choice.tolerance);
  Evaluator evaluator(program->system());
  Point point = start_point(stepper, evaluator, std::vector{1.0}, std::vector{0.0});
  const auto steps = static_cast<std::uint64_t>(until / run.choice.step);
  REQUIRE(integrate(stepper, evaluator, point, {.steps = steps}, {}).status ==
          RunReport::Status::ok);
  const double x = std::cos(2.0 * point.t), v = -2.0 * std::sin(2.0 * point.t);
  run.error = numeric::larger(std::fabs(point.q[0] - x) / (1.0 + std::fabs(x)),
                              std::fabs(point.v[0] - v) / (1.0 + std::fabs(v)));
  return run;
}

}  // namespace

TEST_CASE("Runs are compared at powers of two first, then regularly") {
  std::vector<std::uint64_t> groups;
  for (std::uint64_t g = next_compared(0, 6); g <= 24; g = next_compared(g, 6)) groups.push_back(g);
  CHECK(groups == std::vector<std::uint64_t>{1, 2, 4, 6, 8, 12, 16, 18, 24});
  CHECK(next_compared(3, 1) == 4);
}

TEST_CASE("A step keeps the tolerance until the end, and is not much shorter than that asks for") {
  for (const char* name : {"lobatto", "gauss(stages=4)", "runge-kutta-4", "dop853(tolerance=0)",
                           "dop853", "fehlberg-78"}) {
    for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
      INFO(name, " ", tolerance);
      const auto [choice, error] = chosen(name, 30.0, tolerance);
      CHECK(std::isinf(choice.kept_until));
      // Estimates differ from errors by less than ten; the search ends between a fiftieth of the
      // tolerance, as steps have two digits and are at most a twelfth of the run, and itself.
      CHECK(error < 3.0 * tolerance);
      CHECK(choice.error < tolerance);
      CHECK(error < 10.0 * choice.error + 1e-13);
      CHECK(choice.error > 1e-3 * tolerance);
    }
  }
}

TEST_CASE("A run that is too long to be looked at whole gets a step from a part of it") {
  // 8e8 nanoseconds are some million steps of leapfrog, a dozen runs of which tell the step.
  const auto [choice, error] = chosen("leapfrog", 3000.0, 1e-6);
  CHECK(choice.step < 1e-3);
  CHECK(error < 1e-5);
}

TEST_CASE("Candidates come in the order of their counted cost, the same each time") {
  const test_support::SmallSystem small = test_support::pendulum_cvt();
  const AskedRun run{
      {.q = small.q, .v = small.v}, small.system.default_parameters(), {}, 20.0, 1e-8};
  const std::vector<TriedMethod> tried = search_methods(small.system, run),
                                 again = search_methods(small.system, run);
  REQUIRE(tried.size() >= 4);
  REQUIRE(again.size() == tried.size());
  for (std::size_t i = 0; i < tried.size(); ++i) {
    CHECK(tried[i].method == again[i].method);
    CHECK(tried[i].steps.step == again[i].steps.step);
    CHECK(tried[i].steps.cost == again[i].steps.cost);
    CHECK(make_method(parse_method(tried[i].method)).misfit(small.system) == std::nullopt);
    if (i > 0) CHECK(tried[i - 1].steps.cost <= tried[i].steps.cost);
  }
  CHECK(reason_of(tried).find(tried[1].method) != std::string::npos);
}

TEST_CASE("Steps cost the same with a fallback and without") {
  const System system = test_support::chaotic().system;
  const Method method = make_method(parse_method("gauss(stages=4)"));
  const auto cost = [&](StepSolver solver) {
    return step_cost(*StepProgram::compile(system, method, {.solver = solver}), false);
  };
  const StepCost with = cost(StepSolver::structured), without = cost(StepSolver::sweeps),
                 newton = cost(StepSolver::newton);
  CHECK(with.of(1.0, 10.0) == without.of(1.0, 10.0));
  CHECK(with.pass < newton.pass);
}
