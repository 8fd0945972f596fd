#include "dalembert/run/simulate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/splitting/speed_splitting.hpp"
#include "dalembert/method/variational.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;

namespace {

Problem transmission() {
  const auto small = test_support::pendulum_cvt();
  return {small.system, {{.name = "rotating", .q = small.q, .v = {0.0, 0.0, 3.0}}}};
}

/// x'' = exp(x) leaves every bound before t = 2.3, the Lagrangian those of doubles.
System falling() {
  return System::define({.name = "falling", .coordinates = {{"x"}}}, [](const Symbols& s) {
    Mechanics m;
    m.kinetic = square(s.v[0]) / 2.0;
    m.potential = -exp(s.q[0]);
    return m;
  });
}

}  // namespace

TEST_CASE("a solution has the bits of a loop of one's own") {
  const Problem problem = transmission();
  const Solution solution =
      simulate(problem, Dla{}, "rotating", {.step = 0.1, .until = 10.0, .record_every = 7});
  REQUIRE(solution.ok());
  CHECK(solution.steps == 100);
  REQUIRE(solution.size() == 16);  // 0, 7, ..., 98 and the last
  Stepper stepper(StepProgram::compile(problem.system, Dla{}), 0.1);
  Evaluator evaluator(problem.system);
  const Start& start = problem.start();
  Point point = start_point(stepper, evaluator, start.q, start.v);
  REQUIRE(stepper.advance(point, 0.0, 0, 98).status == StepStatus::ok);
  CHECK(solution.t(14) == point.t);
  CHECK(solution.q(14)[0] == point.q[0]);
  CHECK(solution.v(14)[2] == point.v[2]);
  CHECK(solution.lambda(14)[0] == point.lambda[0]);
  CHECK(solution.energy(14) == evaluator.energy(point.t, point.q, point.v));
  REQUIRE(stepper.advance(point, 0.0, 98, 2).status == StepStatus::ok);
  CHECK(solution.t(15) == point.t);
  CHECK(solution.point.q == point.q);
}

TEST_CASE("angles come unwrapped, and columns have names") {
  const Problem problem = transmission();
  const Solution solution = simulate(problem, Dla{}, {}, {.step = 0.1, .until = 50.0});
  const std::vector<double> xi = solution.column("xi");
  REQUIRE(xi.size() == solution.size());
  // The pendulum turns with a speed between sqrt(5) and 3.
  CHECK(xi.back() > 50.0 * std::sqrt(5.0) - 1.0);
  CHECK(xi[3] == solution.q(3)[2]);
  CHECK(xi[3] == solution.q()[3 * 3 + 2]);
  CHECK(solution.column("xi_dot")[0] == 3.0);
  CHECK(solution.column("lambda_1")[5] == solution.lambda()[5]);
  CHECK(solution.names() == std::vector<std::string>{"t", "x1", "x2", "xi", "x1_dot", "x2_dot",
                                                     "xi_dot", "lambda_1", "energy", "constraint"});
  CHECK_THROWS_WITH_AS(solution.column("energi"), doctest::Contains("did you mean \"energy\""),
                       RequestError);
  CHECK_THROWS_WITH_AS(solution.q(solution.size()), doctest::Contains("no record 501"),
                       RequestError);
}

TEST_CASE("a start is a name, a start, or q and v") {
  const Problem problem = transmission();
  const SimulateOptions options{.step = 0.1, .steps = 5};
  const Start& start = problem.start();
  const Solution named = simulate(problem, Dla{}, "rotating", options),
                 given = simulate(problem.system, Dla{}, start, options),
                 plain = simulate(problem.system, Dla{}, {{1, 1, 0}, {0, 0, 3}}, options);
  CHECK(named.point.q == given.point.q);
  CHECK(named.point.q == plain.point.q);
  CHECK_THROWS_WITH_AS(simulate(problem, Dla{}, "rotatin", options),
                       doctest::Contains("did you mean \"rotating\""), RequestError);
  CHECK_THROWS_WITH_AS(simulate(problem.system, Dla{}, "rotating", options),
                       doctest::Contains("no start \"rotating\""), RequestError);
}

TEST_CASE("parameters: the defaults, what the start sets, what is asked for") {
  Problem problem = transmission();
  const SimulateOptions options{.step = 0.1, .steps = 5};
  const Solution plain = simulate(problem, Dla{}, {}, options);
  problem.starts[0].parameters = {{"epsilon", 0.5}};
  const Solution of_start = simulate(problem, Dla{}, {}, options);
  CHECK(plain.point.v != of_start.point.v);
  const Solution asked =
      simulate(problem, Dla{}, {}, {.step = 0.1, .steps = 5, .parameters = {{"epsilon", 0.0}}});
  CHECK(plain.point.v == asked.point.v);
  CHECK_THROWS_WITH_AS(
      simulate(problem, Dla{}, {}, {.step = 0.1, .steps = 5, .parameters = {{"epsilom", 0.0}}}),
      doctest::Contains("did you mean \"epsilon\""), RequestError);
}

TEST_CASE("steps lead to the end: whole ones where it is a multiple but for round-off") {
  const auto check = [](double until, double h, std::uint64_t whole, double last) {
    const StepCount steps = steps_until(until, h);
    CHECK(steps.whole == whole);
    CHECK(steps.last == last);
  };
  check(100.0, 0.1, 1000, 0.0);
  check(6.283185307179586, 0.3141592653589793, 20, 0.0);
  check(0.3, 0.1, 3, 0.0);
  check(0.14, 0.1, 1, 0.14 - 0.1);
  check(2.0, 0.3, 6, 2.0 - 6 * 0.3);
  check(1e11, 0.1, 1000000000000, 0.0);
  CHECK_THROWS_AS(steps_until(0.09, 0.1), RequestError);
  CHECK_THROWS_AS(steps_until(-1.0, 0.1), RequestError);
  CHECK_THROWS_AS(steps_until(1.0, 1e-13), RequestError);
  const Solution solution = simulate(transmission(), Dla{}, {}, {.step = 0.1, .until = 100.0});
  CHECK(solution.t(solution.size() - 1) == 1000 * 0.1);
}

TEST_CASE("a shorter last step ends where it was asked to, and is a step of that size") {
  const Problem problem = transmission();
  const SimulateOptions options{.step = 0.3, .until = 2.0, .record_every = 4};
  const Solution solution = simulate(problem, Dla{}, {}, options),
                 whole = simulate(problem, Dla{}, {}, {.step = 0.3, .steps = 6});
  // The seventh record of `whole`, at 1.8, is none of every fourth.
  REQUIRE(solution.size() == 3);
  CHECK(solution.steps == 7);
  CHECK(solution.t(1) == 4 * 0.3);
  CHECK(solution.t(2) == 2.0);
  CHECK(solution.point.t == 2.0);
  Stepper stepper(StepProgram::compile(problem.system, Dla{}), 2.0 - 6 * 0.3);
  Point point = whole.point;
  REQUIRE(stepper.step(point).status == StepStatus::ok);
  CHECK(solution.point.q == point.q);
  CHECK(solution.point.v == point.v);
}

TEST_CASE("a shorter last step keeps the order of a method, divided steps included") {
  const Problem problem = transmission();
  const SimulateOptions fine{.step = 1.0 / 1024, .until = 2.0};
  const Solution exact = simulate(problem, RungeKutta4{}, {}, fine);
  const auto error = [&](double h) {
    const Solution solution = simulate(problem, RungeKutta4{}, {}, {.step = h, .until = 2.0});
    return std::fabs(solution.point.q[2] - exact.point.q[2]);
  };
  // Order 4, between 3.5 and 4.5 on these two steps.
  const double ratio = error(0.03) / error(0.015);
  CHECK(ratio > 11.3);
  CHECK(ratio < 22.6);
  const Solution divided =
      simulate(problem, Fehlberg78{.tolerance = 1e-13}, {}, {.step = 0.3, .until = 2.0});
  CHECK(divided.point.t == 2.0);
  // Seven steps and their substeps, each wrong by the tolerance, and order 4 with 2^-10: 1e-12.
  CHECK(std::fabs(divided.point.q[2] - exact.point.q[2]) < 1e-11);
}

TEST_CASE("a method that carries data of steps of one size takes no shorter one") {
  const StartChoice start{{0.0}, {0.0}};
  CHECK_THROWS_WITH_AS(simulate(falling(), Shake{}, start, {.step = 0.3, .until = 1.0}),
                       doctest::Contains("choose a multiple"), RequestError);
  CHECK(simulate(falling(), Shake{}, start, {.step = 0.3, .until = 0.9}).ok());
}

TEST_CASE("a request that makes no sense is refused") {
  const Problem problem = transmission();
  CHECK_THROWS_WITH_AS(simulate(problem, Dla{}, {}, {.until = 1.0}),
                       doctest::Contains("step is 0; it must be > 0"), RequestError);
  CHECK_THROWS_WITH_AS(simulate(problem, Dla{}, {}, {.step = 0.1}),
                       doctest::Contains("either until"), RequestError);
  CHECK_THROWS_WITH_AS(simulate(problem, Dla{}, {}, {.step = 0.1, .until = 1.0, .steps = 10}),
                       doctest::Contains("either until"), RequestError);
}

TEST_CASE("a refused step ends the solution, or throws where that is asked for") {
  const Solution solution =
      simulate(falling(), Gauss{.stages = 2}, {{1.0}, {0.0}}, {.step = 0.1, .until = 10.0});
  CHECK_FALSE(solution.ok());
  CHECK(solution.message.find("failed in step") != std::string::npos);
  CHECK(solution.steps < 100);
  REQUIRE(solution.size() == solution.steps + 1);
  CHECK(solution.t(solution.size() - 1) == solution.point.t);
  try {
    static_cast<void>(simulate(falling(), Gauss{.stages = 2}, {{1.0}, {0.0}},
                               {.step = 0.1, .until = 10.0, .strict = true}));
    FAIL("went on");
  } catch (const StepError& error) {
    CHECK(error.step == solution.steps + 1);
    CHECK(error.t == solution.point.t);
    CHECK(error.what() == solution.message);
  }
}

TEST_CASE("who says which states to observe sees these, and glances at others") {
  const Problem problem = transmission();
  Stepper stepper(StepProgram::compile(problem.system, Dla{}), 0.1);
  Evaluator evaluator(problem.system);
  Point point = start_point(stepper, evaluator, problem.start().q, problem.start().v);
  std::vector<std::uint64_t> observed;
  std::vector<double> glanced;
  const RunOptions options{
      .steps = 25,
      .next = [](std::uint64_t step) { return step + 10; },
      .glance =
          [&](const Point& at) {
            glanced.push_back(at.t);
            return at.t < 1.5;  // 16 steps are to be observed at once
          },
      .glance_every = 4,
  };
  const RunReport report = integrate(stepper, evaluator, point, options, [&](const Sample& sample) {
    observed.push_back(sample.step);
    return true;
  });
  CHECK(report.steps == 25);
  CHECK(observed == std::vector<std::uint64_t>{0, 10, 16, 20, 24, 25});
  REQUIRE(glanced.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(glanced[i] == static_cast<double>(4 * (i + 1)) * 0.1);
}

TEST_CASE("the last state before a refused step is observed once, whoever saw it before") {
  const System system = falling();
  Stepper stepper(StepProgram::compile(system, RungeKutta4{}), 0.1);
  Evaluator evaluator(system);
  for (const std::uint64_t glance_every : {0, 1}) {
    Point point = start_point(stepper, evaluator, std::vector{1.0}, std::vector{2.0});
    std::vector<std::uint64_t> observed;
    const RunOptions options{.steps = 1000,
                             .next = [](std::uint64_t step) { return step + 1000; },
                             .glance = [](const Point&) { return true; },
                             .glance_every = glance_every};
    const RunReport report =
        integrate(stepper, evaluator, point, options, [&](const Sample& sample) {
          observed.push_back(sample.step);
          return true;
        });
    CHECK(report.status == RunReport::Status::failed);
    CHECK(observed == std::vector<std::uint64_t>{0, report.steps});
  }
}

TEST_CASE("a constraint that follows from others has a multiplier in solutions") {
  test_support::TextSystem text = test_support::particle_in_space("twice");
  text.potential = "z + x^2/2";
  text.constraints = {"z_dot - y*x_dot"};
  const System once = test_support::define(text);
  text.constraints.emplace_back("3*z_dot - 3*y*x_dot");
  const System twice = test_support::define(text);
  const StartChoice start({0.3, 1.0, 0.5}, {1.0, 0.2, 1.0});
  const SimulateOptions options{.step = 0.1, .steps = 20};
  const Solution plain = simulate(once, Dla{}, start, options),
                 shared = simulate(twice, Dla{}, start, options);
  REQUIRE(shared.ok());
  CHECK(std::ranges::equal(shared.q(), plain.q()));
  for (std::size_t i = 0; i < plain.size(); ++i) {
    // Rows of the lengths 1 and 3: of (1 - 3 b, b) the least (1 - 3 b)^2 + 9 b^2 has b = 1/6.
    CHECK(std::fabs(shared.lambda(i)[0] - plain.lambda(i)[0] / 2.0) < 1e-15);
    CHECK(std::fabs(shared.lambda(i)[1] - plain.lambda(i)[0] / 6.0) < 1e-15);
    CHECK(shared.constraint_error()[i] <= 3.0 * plain.constraint_error()[i] + 1e-15);
  }
}

TEST_CASE("A start of a run has what its method carries, and angles without their turns") {
  const test_support::SmallSystem small = test_support::pendulum_cvt();
  const Stepper stepper(StepProgram::compile(small.system, SpeedSplitting{}), 0.1);
  Evaluator evaluator(small.system);
  StartPoints start(stepper, evaluator);
  for (const double angle : {0.5, 10.0}) {  // one after the other, of which none leaves anything
    const std::vector<double> q{1.0, 0.0, angle}, v{-std::sin(angle), 1.0, 1.5};
    const Point point = start(q, v, 0.5);
    CHECK(point.t == 0.5);
    CHECK(point.v == v);
    CHECK(point.q[2] == doctest::Approx(angle == 10.0 ? 10.0 - 4.0 * std::acos(-1.0) : 0.5));
    CHECK(point.turns == std::vector{0.0, 0.0, angle == 10.0 ? 2.0 : 0.0});
    // The carried energy, of kinetic energy v.v/2 and potential x.x/2 + 1 - cos(xi).
    const double energy = (v[0] * v[0] + 1.0 + 2.25) / 2.0 + 0.5 + 1.0 - std::cos(angle);
    REQUIRE(point.carried.size() == 1);
    CHECK(point.carried[0] == doctest::Approx(energy).epsilon(1e-15));
    const Point alone = start_point(stepper, evaluator, q, v, 0.5);
    CHECK(alone.q == point.q);
    CHECK(alone.carried == point.carried);
  }
}
