// Two solvers of one step's equations: the structured one, which tears and eliminates, and a plain
// Newton iteration for all unknowns. They must meet at round-off.
// Also under the sanitizers of tool/check proof, but for what is slow.

#include <doctest/doctest.h>

#include <string>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/general_witness.hpp"
#include "support/measured_methods.hpp"
#include "support/small_systems.hpp"
#include "support/variants.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// Systems with every kind of Lagrangian and constraint, each with a consistent start.
std::vector<Witness> problems() {
  std::vector<Witness> result{witness_constant_mass(), witness_coupled_mass(), witness_general()};
  for (const Witness& general :
       {witness_nonlinear(), witness_forced_time(), witness_holonomic(), witness_moving_surface()})
    result.push_back(general);
  for (const SmallSystem& small : {pendulum_cvt(), chaotic(), two_constraints()})
    result.push_back({small.system, small.q, small.v, small.system.constraint_count() > 1});
  return result;
}

std::vector<MethodSpec> methods_with_stages() {
  std::vector<MethodSpec> specs = method_variants(Variants::defaults);
  specs.push_back({"reduced-gradient", {{"gradient", std::string("bilinear")}}});
  for (const double stages : {3.0, 4.0}) {
    for (const char* name : {"lobatto", "spark", "gauss"})
      specs.push_back({name, {{"stages", stages}}});
  }
  return specs;
}

bool fits(const MethodSpec& spec, const Witness& problem) {
  return !make_method(spec).misfit(problem.system);
}

struct End {
  Point point;
  StepReport report;
};

End run(const Witness& problem, const MethodSpec& spec, StepSolver solver, double h,
        std::uint64_t steps) {
  const Method method = make_method(spec);
  StepMap<double> map(problem.system, method, problem.system.default_parameters());
  Point point = map.start(problem.q, problem.v);
  const auto program = StepProgram::compile(
      problem.system, method, {.compensated = false, .wrap_angles = true, .solver = solver});
  Stepper stepper(program, h);
  const StepReport report = stepper.advance(point, 0.0, 0, steps);
  return {point, report};
}

std::size_t largest_system(const System& system, const MethodSpec& spec, StepSolver solver) {
  const auto program = StepProgram::compile(
      system, make_method(spec), {.compensated = false, .wrap_angles = true, .solver = solver});
  std::size_t largest = 0;
  for (const StepProgram::Block& block : program->blocks())
    largest = numeric::larger(largest, block.system_size);
  return largest;
}

}  // namespace

TEST_CASE("The structured and the plain solver give the same states to round-off" *
          doctest::test_suite("slow")) {
  constexpr double h = 0.0625;
  MeasuredMethods measured;
  for (const Witness& problem : problems()) {
    for (const MethodSpec& spec : methods_with_stages()) {
      if (!fits(spec, problem)) continue;
      measured.add(spec);
      INFO(problem.system.name(), " ", spec.name);
      const End plain = run(problem, spec, StepSolver::plain, h, 4);
      const End structured = run(problem, spec, StepSolver::structured, h, 4);
      REQUIRE(plain.report.status == StepStatus::ok);
      REQUIRE(structured.report.status == StepStatus::ok);
      // Some hundred roundings of numbers of size one. A multiplier takes those of v divided by h,
      // and that of a constraint on positions those of q divided by h^2.
      constexpr double few_roundings = 256.0 * 0x1p-52;
      const double scale = problem.system.traits().holonomic ? h * h : h;
      CHECK(largest_difference(plain.point.q, structured.point.q) <= few_roundings);
      CHECK(largest_difference(plain.point.v, structured.point.v) <= few_roundings);
      CHECK(largest_difference(plain.point.lambda, structured.point.lambda) <=
            few_roundings / scale);
    }
  }
  measured.check({});
}

TEST_CASE("Methods of many stages need fewer than five Newton passes a step at h = 0.1") {
  for (const SmallSystem& small : {pendulum_cvt(), chaotic()}) {
    const Witness problem{small.system, small.q, small.v};
    for (const double stages : {2.0, 3.0, 4.0, 5.0}) {
      const MethodSpec spec{"lobatto", {{"stages", stages}}};
      INFO(problem.system.name(), " stages ", stages);
      StepMap<double> map(problem.system, make_method(spec), {});
      Point point = map.start(problem.q, problem.v);
      Stepper stepper(StepProgram::compile(problem.system, make_method(spec)), 0.1);
      std::uint64_t passes = 0, most = 0;
      for (int step = 0; step < 2000; ++step) {
        const StepReport report = stepper.step(point);
        REQUIRE(report.status == StepStatus::ok);
        passes += report.iterations;
        most = numeric::larger(most, report.iterations);
      }
      CHECK(passes < 5 * 2000);
      // The first steps know of none before, and most passes keep their matrix.
      CHECK(most < 8);
    }
  }
}

TEST_CASE("Of a step of lobatto, positions and multipliers of the inner stages are left to solve") {
  const System system = chaotic().system;
  const std::size_t n = 7, m = 1;
  for (const std::size_t s : {3u, 4u, 5u}) {
    const MethodSpec carried{
        "lobatto", {{"stages", static_cast<double>(s)}, {"multiplier", std::string("carried")}}},
        closed{"lobatto", {{"stages", static_cast<double>(s)}}};
    CHECK(largest_system(system, carried, StepSolver::plain) == s * n + (s - 1) * m);
    CHECK(largest_system(system, closed, StepSolver::plain) == s * n + s * m);
    for (const MethodSpec& spec : {carried, closed})
      CHECK(largest_system(system, spec, StepSolver::structured) <= (s - 2) * n + (s - 1) * m);
  }
}
