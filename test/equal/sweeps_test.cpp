// Sweeps of stages that shrink the changes slowly, or not at all: when they are given up, and for
// what.
// Also under the sanitizers of tool/check proof, but for what is slow.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/step/detail/stage_blocks.hpp"
#include "support/batch_support.hpp"
#include "support/stage_support.hpp"

using namespace dalembert;
using namespace test_support;
using namespace batch_test;

TEST_CASE("Sweeps without a fallback have the same bits, and refuse the steps that need one") {
  constexpr double h = 0.1;
  constexpr std::uint64_t steps = 5;
  for (const SmallSystem& small : {pendulum_cvt(), chaotic()}) {
    const MethodSpec spec = with_stages("gauss", 6);
    const auto bare =
        StepProgram::compile(small.system, make_method(spec), {.solver = StepSolver::sweeps});
    CHECK(bare->tape().loops.empty());
    CHECK(bits(after(bare, small.q, small.v, h, steps).point) ==
          bits(after(swept(small.system, spec), small.q, small.v, h, steps).point));
  }
  const SmallSystem fast = stiff();
  const MethodSpec spec = with_stages("gauss", 6);
  const auto bare =
      StepProgram::compile(fast.system, make_method(spec), {.solver = StepSolver::sweeps});
  const Arrived refused = after(bare, fast.q, fast.v, h, steps);
  CHECK(refused.report.status == StepStatus::not_converged);
  CHECK(refused.report.steps == 0);
  CHECK(refused.point.q == fast.q);
  CHECK(after(swept(fast.system, spec), fast.q, fast.v, h, steps).report.status == StepStatus::ok);
}

TEST_CASE("Where sweeps do not converge Newton's iteration goes on") {
  const SmallSystem small = stiff();
  constexpr double h = 0.1;
  for (const MethodSpec& spec :
       {with_stages("gauss", 4), with_stages("radau-iia", 3), energy_collocation(2)}) {
    const auto program = swept(small.system, spec);
    const Arrived found = after(program, small.q, small.v, h, 20),
                  newton =
                      after(swept(small.system, spec, StepSolver::newton), small.q, small.v, h, 20);
    REQUIRE(found.report.status == StepStatus::ok);
    // Sweeps that diverge are given up as soon as they are judged, then there are Newton's passes.
    const std::uint64_t blocks = program->tape().stages.front().blocks.size();
    CHECK(found.report.iterations > newton.report.iterations + 20 * std::uint64_t(sweeps_free));
    CHECK(found.report.iterations <=
          newton.report.iterations + 20 * blocks * std::uint64_t(sweeps_free + 2 * 4));
    // Round-off of forces of 1e6 times the position.
    CHECK(largest_difference(found.point.q, newton.point.q) <= 1e-12);
    CHECK(largest_difference(found.point.v, newton.point.v) <= 1e-9);
  }
}

TEST_CASE("Sweeps that shrink changes slowly and unevenly go on while Newton's passes cost more") {
  // A sweep of velocities, then positions, takes the error of the fast oscillator times
  // -(h A)^2 stiffness, with a complex spectrum, whose radius follows from that of Gauss's tableau;
  // it may grow for as many sweeps as there are stages. The oscillator is a block of its own.
  constexpr double h = 0.1;
  struct Tableau {
    int stages;
    double radius, slowest;  // of the sweeps that are to go on
  };
  for (const Tableau& tableau : {Tableau{4, 0.1654, 0.3}, {8, 0.0884, 0.3}, {10, 0.0717, 0.5}}) {
    const MethodSpec spec = with_stages("gauss", tableau.stages);
    for (const double shrinks : {0.1, 0.3, 0.5, 0.9, 1.5, 20.0}) {
      INFO(tableau.stages, " stages, a sweep shrinks errors to ", shrinks);
      const SmallSystem small = stiff(shrinks / std::pow(h * tableau.radius, 2));
      const Arrived bare = after(
          StepProgram::compile(small.system, make_method(spec), {.solver = StepSolver::sweeps}),
          small.q, small.v, h, 5);
      const bool is_quick = shrinks <= tableau.slowest;
      CHECK(bare.report.status == (is_quick ? StepStatus::ok : StepStatus::not_converged));
      const Arrived found = after(swept(small.system, spec), small.q, small.v, h, 5);
      if (is_quick) CHECK(bits(found.point) == bits(bare.point));
      if (tableau.stages > 8) continue;  // Newton's iteration takes long to compile
      const Arrived newton =
          after(swept(small.system, spec, StepSolver::newton), small.q, small.v, h, 5);
      REQUIRE(found.report.status == StepStatus::ok);
      // Round-off of forces of up to 1e5 times the position.
      CHECK(largest_difference(found.point.q, newton.point.q) <= 1e-14);
      CHECK(largest_difference(found.point.v, newton.point.v) <= 1e-11);
    }
  }
}

TEST_CASE("The patience with sweeps is that which their slowest changes need") {
  CHECK(patience(3, 4).slowest < patience(4, 10).slowest);
  for (const std::size_t stages : {1, 2, 3, 4, 5, 8, 16}) {
    for (const std::size_t components : {1, 2, 4, 10, 40}) {
      const SweepPatience limits = patience(stages, components);
      const double windows = double(limits.most - sweeps_free) / limits.window;
      CHECK(std::pow(limits.slowest, windows) <= 0x1p-52);
      CHECK(limits.ends(sweeps_free + limits.window - 1));
      CHECK(!limits.judges(sweeps_free + limits.window - 1));
      CHECK(limits.judges(sweeps_free + 2 * limits.window - 1));
    }
  }
}

TEST_CASE("Without a fallback a step whose sweeps do not converge is refused") {
  const SmallSystem small = stiff();
  const auto program = swept(small.system, with_stages("gauss", 16));
  Stepper stepper(program, 0.1);
  Evaluator evaluator(small.system, small.system.default_parameters());
  Point point = start_point(stepper, evaluator, small.q, small.v);
  const auto before = bits(point);
  CHECK(stepper.step(point).status == StepStatus::not_converged);
  CHECK(bits(point) == before);
  BatchStepper batch(program, 2, 0.1);
  batch.set_parameters(1, std::vector<double>{1.0});
  for (const std::size_t member : {0, 1}) batch.set_point(member, point);
  const auto reports = batch.advance(0.0, 0, 1);
  CHECK(reports[0].status == StepStatus::not_converged);
  CHECK(reports[1].status == StepStatus::ok);
}

TEST_CASE("Members of a batch give up sweeps by themselves") {
  const SmallSystem small = stiff();
  const MethodSpec spec = with_stages("gauss", 4);
  const auto program = swept(small.system, spec);
  constexpr double h = 0.1;
  const std::vector<double> soft{1.0}, hard{1e6};
  for (const BatchOptions& options : all_options()) {
    BatchStepper batch(program, 8, h, options);
    std::vector<Point> alone;
    for (std::size_t member = 0; member < 8; ++member) {
      const std::vector<double>& parameters = member % 3 == 0 ? hard : soft;
      batch.set_parameters(member, parameters);
      Stepper stepper(program, h, parameters);
      Evaluator evaluator(small.system, parameters);
      alone.push_back(start_point(stepper, evaluator, small.q, small.v));
      batch.set_point(member, alone.back());
      REQUIRE(stepper.advance(alone.back(), 0.0, 0, 10).status == StepStatus::ok);
    }
    static_cast<void>(batch.advance(0.0, 0, 10));
    for (std::size_t member = 0; member < 8; ++member)
      CHECK_MESSAGE(bits(batch.point(member)) == bits(alone[member]), text(options), ", ", member);
  }
}
