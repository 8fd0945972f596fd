#include "dalembert/run/adaptive.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>

#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;

namespace {

std::vector<double> final_state(double tolerance, double h, std::uint64_t steps) {
  const auto small = test_support::pendulum_cvt();
  Stepper stepper(StepProgram::compile(small.system, Fehlberg78{.tolerance = tolerance}), h);
  Evaluator evaluator(small.system);
  Point point = start_point(stepper, evaluator, small.q, small.v);
  const RunReport report = integrate(stepper, evaluator, point, {.steps = steps}, nullptr);
  CHECK(report.status == RunReport::Status::ok);
  std::vector<double> state = point.q;
  state.insert(state.end(), point.v.begin(), point.v.end());
  return state;
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = numeric::larger(largest, std::fabs(x[i] - y[i]));
  return largest;
}

}  // namespace

TEST_CASE("The error of adaptive substeps follows the tolerance, whatever the grid") {
  const auto best = final_state(1e-14, 0.5, 10);
  // The estimate bounds the error of one substep; over ten substeps and the system's own growth a
  // factor of 100 is room enough.
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    CHECK(distance(final_state(tolerance, 0.5, 10), best) < 100.0 * tolerance);
    CHECK(distance(final_state(tolerance, 2.5, 2), best) < 100.0 * tolerance);
  }
  // Steps are as long as the tolerance permits: the error is no thousand times smaller.
  CHECK(distance(final_state(1e-6, 2.5, 2), best) > 1e-9);
}

TEST_CASE("A stepper's own tolerance takes the place of the method's") {
  const auto small = test_support::pendulum_cvt();
  Evaluator evaluator(small.system);
  const auto run = [&](const Method& method, std::optional<double> tolerance) {
    Stepper stepper(StepProgram::compile(small.system, method), 0.5);
    if (tolerance) stepper.set_tolerance(*tolerance);
    Point point = start_point(stepper, evaluator, small.q, small.v);
    CHECK(integrate(stepper, evaluator, point, {.steps = 6}, nullptr).status ==
          RunReport::Status::ok);
    return point.q;
  };
  CHECK(run(Fehlberg78{.tolerance = 1e-6}, 1e-9) == run(Fehlberg78{.tolerance = 1e-9}, {}));
  CHECK(run(Fehlberg78{.tolerance = 1e-6}, 1e-9) != run(Fehlberg78{.tolerance = 1e-6}, {}));
  // Steps are not divided where it is zero.
  CHECK(run(Fehlberg78{.tolerance = 1e-6}, 0.0) == run(Fehlberg78{.tolerance = 0.0}, {}));
  // Sizes are compared with 1 + |x|, whatever the tolerance: the last bits alone may differ.
  CHECK(distance(run(Dop853{.tolerance = 1e-6}, 1e-9), run(Dop853{.tolerance = 1e-9}, {})) < 1e-13);
}

TEST_CASE("A run that stops at a node goes on with the same bits") {
  const auto small = test_support::pendulum_cvt();
  const auto program = StepProgram::compile(small.system, Fehlberg78{.tolerance = 1e-9});
  Evaluator evaluator(small.system);
  Stepper whole(program, 0.7), halves(program, 0.7);
  Point once = start_point(whole, evaluator, small.q, small.v), twice = once;
  CHECK(integrate(whole, evaluator, once, {.steps = 9}, nullptr).steps == 9);
  CHECK(integrate(halves, evaluator, twice, {.steps = 4}, nullptr).steps == 4);
  CHECK(integrate(halves, evaluator, twice, {.first_step = 4, .steps = 5}, nullptr).steps == 5);
  CHECK(once.q == twice.q);
  CHECK(once.v == twice.v);
}

TEST_CASE("Adaptive steps run on a system in skew-gradient form") {
  // Euler's equations of a rigid body: energy and the size of the angular momentum are constant.
  const System body =
      System::define({.name = "body", .coordinates = {{"a"}, {"b"}, {"c"}}}, [](const Symbols& s) {
        Matrix structure(3, 3);
        structure(0, 1) = -s.q[2];
        structure(1, 0) = s.q[2];
        structure(0, 2) = s.q[1];
        structure(2, 0) = -s.q[1];
        structure(1, 2) = -s.q[0];
        structure(2, 1) = s.q[0];
        const Expr energy = 0.5 * (square(s.q[0]) + square(s.q[1]) / 2.0 + square(s.q[2]) / 3.0);
        return Mechanics{.integrals = {{"size", dot(s.q, s.q)}},
                         .skew_gradient = SkewGradient{energy, structure}};
      });
  Stepper stepper(StepProgram::compile(body, Fehlberg78{.tolerance = 1e-12}), 0.5);
  Evaluator evaluator(body);
  const std::vector<double> start{1.0, 0.5, 0.2};
  Point point = start_point(stepper, evaluator, start, {});
  const double energy = evaluator.energy(0.0, point.q, {});
  CHECK(integrate(stepper, evaluator, point, {.steps = 40}, nullptr).status ==
        RunReport::Status::ok);
  // 40 steps of a few substeps each, with an error of the tolerance at most.
  CHECK(std::fabs(evaluator.energy(0.0, point.q, {}) - energy) < 1e-10);
  double size = 0.0;
  evaluator.integrals(0.0, point.q, {}, {&size, 1});
  CHECK(size == doctest::Approx(1.29).epsilon(1e-10));
}

namespace {

/// x'' = 0.8 cos 20 t from rest: x = (0.8/400) (1 - cos 20 t).
System shaken() {
  return test_support::define({.name = "shaken",
                               .coordinates = {"x"},
                               .kinetic = "x_dot^2/2",
                               .potential = "0",
                               .force = {"0.8*cos(20*t)"}});
}

double error_at_ten(const Method& method, double h) {
  const Solution run =
      simulate(shaken(), method, StartChoice({0.0}, {0.0}), {.step = h, .until = 10.0});
  REQUIRE_MESSAGE(run.ok(), run.message);
  return std::fabs(run.q().back() - 0.002 * (1.0 - std::cos(200.0)));
}

}  // namespace

TEST_CASE("the estimate of DOP853 sees a force of time alone, that of Fehlberg does not") {
  for (const double h : {0.3, 1.0, 5.0}) {
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      // Ten units of time, over which errors of v add up in x.
      CHECK(error_at_ten(Dop853{.tolerance = tolerance}, h) < 100.0 * tolerance);
    }
  }
  CHECK(error_at_ten(Fehlberg78{.tolerance = 1e-12}, 1.0) > 0.1);
}

TEST_CASE("the error of DOP853 follows its tolerance, relative to sizes or absolute") {
  const auto small = test_support::pendulum_cvt();
  const auto end = [&](const Method& method) {
    const Solution run =
        simulate(small.system, method, StartChoice(small.q, small.v), {.step = 2.5, .until = 10.0});
    REQUIRE_MESSAGE(run.ok(), run.message);
    return std::vector<double>{run.q().end() - 3, run.q().end()};
  };
  const auto best = end(Dop853{.tolerance = 1e-14});
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    const double error = distance(end(Dop853{.tolerance = tolerance}), best);
    CHECK(error < 100.0 * tolerance);
    CHECK(error > 1e-4 * tolerance);  // no shorter steps than it asks for
  }
  // Where only the absolute bound counts, it is that.
  CHECK(distance(end(Dop853{.tolerance = 1e-14, .absolute = 1e-5}), best) > 1e-10);
  CHECK(distance(end(Dop853{.tolerance = 1e-14, .absolute = 1e-10}), best) < 1e-8);
}

TEST_CASE("a step of DOP853 and its estimate are those of another program") {
  // SciPy 1.10.1, integrate.DOP853 with rtol = atol = 1e-3, from t = 0.25 with h = 0.4.
  const System shaken_well = test_support::define({.name = "shaken_well",
                                                   .coordinates = {"x", "y"},
                                                   .kinetic = "(x_dot^2 + y_dot^2)/2",
                                                   .potential = "(x^2 + y^2)/2 + x^2*y - y^3/3",
                                                   .force = {"0.3*cos(5*t)", "0"}});
  Stepper stepper(StepProgram::compile(shaken_well, Dop853{.tolerance = 1e-3}), 0.4);
  Evaluator evaluator(shaken_well);
  Point point =
      start_point(stepper, evaluator, std::vector{0.3, -0.2}, std::vector{0.1, 0.4}, 0.25);
  REQUIRE(stepper.step(point).status == StepStatus::ok);
  const std::vector<double> expected{0.3152918882891988, -0.03427106718015066, -0.05940933905324952,
                                     0.41425892753618365};
  std::vector<double> found = point.q;
  found.insert(found.end(), point.v.begin(), point.v.end());
  // Round-off of sums of twelve products of numbers near one, with coefficients up to 44.
  CHECK(distance(found, expected) < 1e-14);
  REQUIRE(point.error_estimate.size() == 1);
  // Differences of 1e-6 of such numbers.
  CHECK(point.error_estimate[0] == doctest::Approx(2.785589084414114e-07).epsilon(1e-8));
}
