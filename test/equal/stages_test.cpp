// Stages by sweeps: against Newton's iteration, and in every kind of kernel.
// Also under the sanitizers of tool/check proof, but for what is slow.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/in_chart.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/batch_support.hpp"
#include "support/general_witness.hpp"
#include "support/group_systems.hpp"
#include "support/stage_support.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;
using namespace batch_test;

TEST_CASE("Sweeps and Newton's iteration find the same stages" * doctest::test_suite("slow")) {
  constexpr double h = 0.0625, few_roundings = 256.0 * 0x1p-52;
  int measured = 0;
  std::vector<Witness> problems{witness_constant_mass(), witness_coupled_mass(),
                                witness_general(),       witness_nonlinear(),
                                witness_forced_time(),   witness_holonomic()};
  for (const SmallSystem& small : {pendulum_cvt(), chaotic()})
    problems.push_back({small.system, small.q, small.v});
  for (const Witness& problem : problems) {
    std::vector<MethodSpec> specs{with_stages("gauss", 6),
                                  with_stages("gauss", 5, "quasi-velocity"),
                                  with_stages("radau-iia", 7), energy_collocation(3)};
    // Newton's iteration takes long to compile.
    if (problem.system.name() == "pendulum-cvt") {
      specs.push_back(with_stages("gauss", 16));
      specs.push_back(energy_collocation(8));
    }
    for (const MethodSpec& spec : specs) {
      if (make_method(spec).misfit(problem.system)) continue;
      // Of few coordinates stages are not swept.
      if (StepProgram::compile(problem.system, make_method(spec))->tape().stages.empty()) continue;
      ++measured;
      INFO(problem.system.name(), " ", label(spec));
      const Arrived sweeps = after(swept(problem.system, spec), problem.q, problem.v, h, 4),
                    newton = after(swept(problem.system, spec, StepSolver::newton), problem.q,
                                   problem.v, h, 4);
      REQUIRE(sweeps.report.status == StepStatus::ok);
      REQUIRE(newton.report.status == StepStatus::ok);
      CHECK(sweeps.report.iterations > newton.report.iterations);
      CHECK(largest_difference(sweeps.point.q, newton.point.q) <= few_roundings);
      CHECK(largest_difference(sweeps.point.v, newton.point.v) <= few_roundings);
    }
  }
  CHECK(measured == 24);  // pairs that fit
}

TEST_CASE("Stages in lanes, one after the other and in batches have the same bits" *
          doctest::test_suite("slow")) {
  for (const SmallSystem& small : {pendulum_cvt(), chaotic(), stiff()}) {
    for (const MethodSpec& spec : {with_stages("gauss", 6), with_stages("gauss", 9),
                                   with_stages("radau-iia", 8, "quasi-velocity"),
                                   energy_collocation(3), energy_collocation(5)}) {
      INFO(small.system.name(), " ", label(spec));
      const auto program = swept(small.system, spec);
      constexpr double h = 0.1;
      constexpr std::uint64_t steps = 5;
      const Arrived alone = after(program, small.q, small.v, h, steps);
      REQUIRE(alone.report.status == StepStatus::ok);
      for (const InstructionSet set : available_instruction_sets()) {
        const Arrived here = after(program, small.q, small.v, h, steps, &number_kernel(set));
        CHECK_MESSAGE(bits(here.point) == bits(alone.point), to_string(set));
        CHECK(here.report.iterations == alone.report.iterations);
      }
      // The second of three members starts elsewhere.
      std::vector<double> elsewhere = small.q;
      elsewhere[1] += 0.25;
      const Arrived other = after(program, elsewhere, small.v, h, steps);
      Evaluator evaluator(small.system, small.system.default_parameters());
      Stepper stepper(program, h);
      for (const BatchOptions& options : all_options()) {
        BatchStepper batch(program, 3, h, options);
        for (const std::size_t member : {0, 1, 2})
          batch.set_point(
              member, start_point(stepper, evaluator, member == 1 ? elsewhere : small.q, small.v));
        for (const StepReport& report : batch.advance(0.0, 0, steps))
          REQUIRE(report.status == StepStatus::ok);
        CHECK_MESSAGE(bits(batch.point(0)) == bits(alone.point), text(options));
        CHECK_MESSAGE(bits(batch.point(1)) == bits(other.point), text(options));
      }
    }
  }
}

TEST_CASE("On groups sweeps find the stages of Newton's iteration, with the same bits anywhere" *
          doctest::test_suite("slow")) {
  constexpr double h = 0.0625, few_roundings = 256.0 * 0x1p-52;
  constexpr std::uint64_t steps = 4;
  const std::vector<std::pair<GroupSystem, Method>> pairs{
      {suslov(), Gauss{.stages = 2}},
      {rolling_ball(), Gauss{.stages = 5, .projection = Projection::velocity}},
      {unicycle(), RadauIIA{.stages = 3}},
      {pinned_top(), Gauss{.stages = 3}},
      {suslov(), InChart{.base = EnergyCollocation{.stages = 2}}},
      {suslov(), InChart{.base = EnergyCollocation{.stages = 2}, .origin = ChartBase::start}},
      {unicycle(), InChart{.base = EnergyCollocation{.stages = 3}}}};
  for (const auto& pair : pairs) {
    const GroupSystem& problem = pair.first;
    const Method& method = pair.second;
    const MethodSpec spec = method.spec();
    INFO(problem.system.name(), " ", label(spec));
    const auto program = swept(problem.system, spec);
    const Arrived sweeps = after(program, problem.q, problem.v, h, steps),
                  newton = after(swept(problem.system, spec, StepSolver::newton), problem.q,
                                 problem.v, h, steps);
    REQUIRE(sweeps.report.status == StepStatus::ok);
    REQUIRE(newton.report.status == StepStatus::ok);
    CHECK(largest_difference(sweeps.point.q, newton.point.q) <= few_roundings);
    CHECK(largest_difference(sweeps.point.v, newton.point.v) <= few_roundings);
    for (const InstructionSet set : available_instruction_sets()) {
      const Arrived here = after(program, problem.q, problem.v, h, steps, &number_kernel(set));
      CHECK_MESSAGE(bits(here.point) == bits(sweeps.point), to_string(set));
    }
    StepMap<double> map(problem.system, method, problem.system.default_parameters());
    for (const BatchOptions& options : all_options()) {
      BatchStepper batch(program, 3, h, options);
      for (const std::size_t member : {0, 1, 2})
        batch.set_point(member, map.start(problem.q, problem.v));
      for (const StepReport& report : batch.advance(0.0, 0, steps))
        REQUIRE(report.status == StepStatus::ok);
      CHECK_MESSAGE(bits(batch.point(2)) == bits(sweeps.point), text(options));
    }
  }
}

TEST_CASE("What follows from the stages is solved after them, with a fallback and without") {
  const Witness problem = witness_holonomic();
  for (const int stages : {6, 16}) {
    MethodSpec spec = with_stages("gauss", stages);
    spec.options["projection"] = std::string("position-velocity");
    const auto program = swept(problem.system, spec);
    CHECK(program->tape().stages.front().fallback.empty() == (stages == 16));
    const Arrived sweeps = after(program, problem.q, problem.v, 0.0625, 4),
                  newton = after(swept(problem.system, spec, StepSolver::newton), problem.q,
                                 problem.v, 0.0625, 4);
    REQUIRE(sweeps.report.status == StepStatus::ok);
    CHECK(largest_difference(sweeps.point.q, newton.point.q) <= 256.0 * 0x1p-52);
    CHECK(largest_difference(sweeps.point.v, newton.point.v) <= 256.0 * 0x1p-52);
  }
}

TEST_CASE("Means along a step keep the energy, with any number of stages and nodes") {
  const SmallSystem small = chaotic();
  Evaluator evaluator(small.system, {});
  for (const int stages : {2, 5, 12}) {
    for (const double nodes : {24.0, 40.0}) {
      MethodSpec spec = energy_collocation(stages);
      spec.options["quadrature"] = nodes;
      const auto program = swept(small.system, spec);
      Stepper stepper(program, 0.1);
      Point point = start_point(stepper, evaluator, small.q, small.v);
      const double energy = evaluator.energy(0.0, point.q, point.v);
      REQUIRE(stepper.advance(point, 0.0, 0, 100).status == StepStatus::ok);
      // Some roundings in each step, which add up like a random walk.
      CHECK(std::fabs(evaluator.energy(0.0, point.q, point.v) - energy) <=
            10.0 * 8.0 * 0x1p-52 * energy);
    }
  }
}

TEST_CASE("A step whose stages are nan is refused and says so") {
  const SmallSystem small = chaotic();
  const auto program = swept(small.system, with_stages("gauss", 4));
  Stepper stepper(program, 1e200);
  Evaluator evaluator(small.system, small.system.default_parameters());
  Point point = start_point(stepper, evaluator, small.q, small.v);
  const auto before = bits(point);
  const StepReport report = stepper.step(point);
  CHECK(report.status != StepStatus::ok);
  CHECK(report.steps == 0);
  CHECK(bits(point) == before);
}

TEST_CASE("Stages that do not fit, or do not suffice, are refused with a sentence") {
  const System system = chaotic().system;
  for (const int stages : {4, 16}) {
    const Method base = make_method(with_stages("gauss", stages));
    const auto refusal = [&](const std::function<void(Equations&, const Unknowns&)>& spoil) {
      MethodDefinition definition = base.definition();
      definition.name = "spoiled";
      definition.equations = [&](const System& s, const State& a, Unknowns& u, const Expr& h) {
        Equations equations = base.equations(s, a, u, h);
        spoil(equations, u);
        return equations;
      };
      try {
        static_cast<void>(StepProgram::compile(system, Method(definition)));
      } catch (const RequestError& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    const std::string all = std::to_string(stages), less = std::to_string(stages - 1);
    CHECK(refusal([](Equations& e, const Unknowns&) { e.stages->nodes.pop_back(); }) ==
          "the stages of method \"spoiled\" on system \"chaotic\" have " + all +
              " entries of the weights; they must have " + less);
    CHECK(refusal([](Equations& e, const Unknowns&) { e.stages->before.pop_back(); }) ==
          "the stages of method \"spoiled\" on system \"chaotic\" have 13 entries of the state "
          "before; they must have 14");
    CHECK(refusal([](Equations& e, const Unknowns& u) {
            for (const Unknowns::Group& group : u.groups())
              if (group.is_multiplier) e.after.lambda = group.value;
          }) == "the new state of method \"spoiled\" needs the unknown lambda_" + all +
                    "[1], which the sweeps of its stages do not find");
    CHECK(refusal([](Equations&, const Unknowns&) {}).empty());
  }
}

TEST_CASE("More nodes than there are lanes are taken one after the other") {
  const SmallSystem small = chaotic();
  const Method base = make_method(energy_collocation(3));
  MethodDefinition definition = base.definition();
  definition.name = "with-idle-nodes";
  definition.equations = [&](const System& s, const State& a, Unknowns& u, const Expr& h) {
    Equations equations = base.equations(s, a, u, h);
    StageMeans& means = equations.stages->means;
    while (means.path.size() <= most_stages_in_lanes) {
      means.path.push_back(means.path.back());
      for (std::vector<Constant>& row : means.weights) row.push_back(Constant{0.0});
    }
    return equations;
  };
  const auto end_of = [&](const Method& method) {
    return after(StepProgram::compile(small.system, method), small.q, small.v, 0.1, 5);
  };
  const Arrived idle = end_of(Method(definition)), found = end_of(base);
  REQUIRE(idle.report.status == StepStatus::ok);
  CHECK(bits(idle.point) == bits(found.point));
}

TEST_CASE("A system at rest needs no more than one sweep") {
  const SmallSystem small = chaotic();
  const auto program = swept(small.system, with_stages("gauss", 4));
  const std::vector<double> nothing(7, 0.0);
  const Arrived rest = after(program, nothing, nothing, 0.1, 3);
  CHECK(rest.report.status == StepStatus::ok);
  CHECK(rest.report.iterations <= 3 * program->tape().stages.front().blocks.size());
  CHECK(rest.point.q == nothing);
}

TEST_CASE("Drivers are swept before their passengers, what depends on nothing once") {
  const SmallSystem small = pendulum_cvt();
  const auto program = swept(small.system, with_stages("gauss", 6, "quasi-velocity"));
  const TapeStages& stages = program->tape().stages.front();
  // (xi_dot, xi), then (y1, x1, x2): the velocity first.
  REQUIRE(stages.blocks.size() == 2);
  CHECK(stages.blocks[0].iterates);
  CHECK(stages.components == std::vector<std::uint32_t>{4, 2, 3, 0, 1});
}
