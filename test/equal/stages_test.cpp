// Stages by sweeps: against Newton's iteration, in every kind of kernel, and where sweeps do not
// converge.
// Also under the sanitizers of tool/check proof, but for what is slow.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/step/detail/stage_blocks.hpp"
#include "support/batch_support.hpp"
#include "support/general_witness.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;
using namespace batch_test;

namespace {

MethodSpec energy_collocation(int stages) {
  return {"energy-collocation", {{"stages", double(stages)}}};
}

MethodSpec with_stages(const std::string& name, int stages,
                       const std::string& coordinates = "full") {
  return {name, {{"stages", double(stages)}, {"coordinates", coordinates}}};
}

std::shared_ptr<const StepProgram> swept(const System& system, const MethodSpec& spec,
                                         StepSolver solver = StepSolver::structured) {
  auto program = StepProgram::compile(system, make_method(spec), {.solver = solver});
  CHECK(program->tape().stages.empty() == (solver != StepSolver::structured));
  return program;
}

struct Arrived {
  Point point;
  StepReport report;
};

Arrived after(const std::shared_ptr<const StepProgram>& program, const std::vector<double>& q,
              const std::vector<double>& v, double h, std::uint64_t steps,
              const Kernel* kernel = nullptr) {
  Stepper stepper(program, h);
  if (kernel != nullptr) stepper.set_kernel(*kernel);
  StepMap<double> map(program->system(), program->method(), program->system().default_parameters());
  Point point = map.start(q, v);
  const StepReport report = stepper.advance(point, 0.0, 0, steps);
  return {point, report};
}

/// A fast oscillator beside slow ones, on which sweeps with h = 0.1 diverge with that stiffness.
SmallSystem stiff(double stiffness = 1e6) {
  SystemDescription description{"stiff", {}, {{"stiffness", stiffness}}};
  for (int i = 1; i <= 6; ++i) description.coordinates.push_back({"x" + std::to_string(i)});
  return {System::define(std::move(description),
                         [](const Symbols& s) {
                           Mechanics m;
                           for (std::size_t i = 0; i < s.q.size(); ++i) {
                             m.kinetic += square(s.v[i]) / 2.0;
                             m.potential += square(s.q[i]) / 2.0 + pow(s.q[i], 4) / 4.0;
                           }
                           m.potential += s["stiffness"] * square(s.q[0]) / 2.0;
                           m.constraints = {s.v[1] + s.q[2] * s.v[3]};
                           return m;
                         }),
          {1e-3, 0.3, 0.5, -0.4, 0.2, 0.1},
          {0.0, -0.1, 0.1, 0.2, -0.3, 0.4}};
}

}  // namespace

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
