// What a stepper watches while it takes steps, and where that ends them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/watched_quantities.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double watched_h = 0.1;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const StepProgram> watched_program(const System& system, const std::string& method,
                                                   bool compensated = false) {
  return StepProgram::compile(system, make_method({method}),
                              {.compensated = compensated, .watched = true});
}

/// The quantities at a state, and their extremes at all so far.
class Extremes {
 public:
  explicit Extremes(const System& system)
      : system_(system), function_(system, symbols_, watched_quantities(system, symbols_)) {
    lowest.assign(function_.output_count(), infinity);
    highest.assign(function_.output_count(), -infinity);
  }

  void see(const Point& point) {
    const auto values = function_(point.t, point.q, point.v);
    for (std::size_t i = 0; i < values.size(); ++i) {
      lowest[i] = std::min<double>(lowest[i], values[i]);
      highest[i] = std::max<double>(highest[i], values[i]);
    }
    last.assign(values.begin(), values.end());
  }

  std::vector<double> lowest, highest, last;

 private:
  System system_;
  Symbols symbols_ = system_.symbols();
  StateFunction<double> function_;
};

/// A point on a line that doubles its energy at each step.
System line() {
  return System::define({.name = "line", .coordinates = {{"x"}}}, [](const Symbols& s) {
    Mechanics m;
    m.kinetic = square(s.v[0]) / 2.0;
    m.potential = 0.0 * s.q[0];
    return m;
  });
}

Method growing() {
  return Method(MethodDefinition{
      .name = "growing",
      .facts = Facts{.order = 1},
      .equations = [](const System&, const State& a, Unknowns&, const Expr&) -> Equations {
        return {.zero = {}, .constraint = {}, .after = {a.q, {2.0 * a.v[0]}}};
      }});
}

Stepper growing_stepper() {
  return Stepper(StepProgram::compile(line(), growing(), {.watched = true}), watched_h);
}

}  // namespace

TEST_CASE("Ranges are those of the quantities at the states that steps begin with, bit for bit") {
  for (const SmallSystem& small : {pendulum_cvt(), chaotic()}) {
    for (const char* method :
         {"dla01", "leapfrog", "runge-kutta-4", "lobatto", "reduced-gradient"}) {
      for (const bool compensated : {false, true}) {
        CAPTURE(method);
        CAPTURE(compensated);
        const auto program = watched_program(small.system, method, compensated);
        const std::size_t constraints = small.system.constraint_count(),
                          multipliers = program->lambda_count() > 0 ? 0 : constraints;
        REQUIRE(program->watched().size() == 1 + constraints + multipliers);
        Stepper seen(program, watched_h), watching(program, watched_h);
        watching.watch();
        Point one = seen.make_point(small.q, small.v), all = one;
        Extremes extremes(small.system);
        constexpr std::uint64_t steps = 50;
        for (std::uint64_t k = 0; k < steps; ++k) {
          extremes.see(one);
          REQUIRE(seen.advance(one, 0.0, k, 1).status == StepStatus::ok);
        }
        REQUIRE(watching.advance(all, 0.0, 0, steps).steps == steps);
        CHECK(all.q == one.q);
        CHECK(all.v == one.v);
        for (std::size_t i = 0; i < extremes.last.size(); ++i) {
          CHECK(watching.range(i).lowest == extremes.lowest[i]);
          CHECK(watching.range(i).highest == extremes.highest[i]);
        }
      }
    }
  }
}

TEST_CASE("Watching does not change a step, and who does not watch has ordinary steps") {
  const SmallSystem small = chaotic();
  for (const char* method : {"leapfrog", "lobatto", "reduced-gradient"}) {
    CAPTURE(method);
    Stepper plain(StepProgram::compile(small.system, make_method({method})), watched_h),
        idle(watched_program(small.system, method), watched_h),
        watching(watched_program(small.system, method), watched_h);
    watching.watch();
    Point a = plain.make_point(small.q, small.v), b = a, c = a;
    CHECK(plain.advance(a, 0.0, 0, 200).steps == 200);
    CHECK(idle.advance(b, 0.0, 0, 200).steps == 200);
    CHECK(watching.advance(c, 0.0, 0, 200).steps == 200);
    CHECK(a.q == b.q);
    CHECK(a.v == b.v);
    CHECK(a.q == c.q);
    CHECK(a.v == c.v);
    CHECK(idle.range(0).lowest == 0.0);
    CHECK(watching.range(0).lowest > 0.0);
  }
}

TEST_CASE("Steps end at the first state out of bounds, but for that with which they begin") {
  Stepper stepper = growing_stepper();
  stepper.watch();
  Point point = stepper.make_point(std::vector{0.0}, std::vector{1.0});
  stepper.set_bounds(0, {0.0, 100.0});  // energies 1/2, 2, 8, 32, 128
  StepReport report = stepper.advance(point, 0.0, 0, 1000);
  CHECK(report.status == StepStatus::ok);
  CHECK(report.steps == 4);
  CHECK(point.v[0] == 16.0);
  CHECK(point.t == 4 * watched_h);
  CHECK(stepper.range(0).lowest == 0.5);
  CHECK(stepper.range(0).highest == 32.0);
  report = stepper.advance(point, 0.0, 4, 1000);
  CHECK(report.steps == 1);
  CHECK(point.v[0] == 32.0);
  stepper.set_bounds(0, {0.0, infinity});
  report = stepper.advance(point, 0.0, 5, 3);
  CHECK(report.steps == 3);
  stepper.watch(false);
  stepper.set_bounds(0, {0.0, 0.0});
  CHECK(stepper.advance(point, 0.0, 8, 3).steps == 3);
}

TEST_CASE("An energy that is no finite number ends the steps, before the state does") {
  Stepper stepper = growing_stepper();
  stepper.watch();
  Point point = stepper.make_point(std::vector{0.0}, std::vector{1.0});
  const StepReport report = stepper.advance(point, 0.0, 0, 10000);
  CHECK(report.status == StepStatus::ok);
  CHECK(report.steps == 512);  // (2^512)^2 is none
  CHECK(point.v[0] == 0x1p512);
}

TEST_CASE("The multiplier is watched where a method has none of its own") {
  const SmallSystem small = pendulum_cvt();
  const auto program = watched_program(small.system, "runge-kutta-4");
  REQUIRE(program->watched().size() == 3);
  Stepper stepper(program, watched_h);
  stepper.watch();
  Point point = stepper.make_point(small.q, small.v);
  Evaluator evaluator(small.system);
  std::vector<double> lambda(1);
  double lowest = infinity, highest = -infinity;
  for (std::uint64_t k = 0; k < 50; ++k) {
    evaluator.multiplier(point.t, point.q, point.v, lambda);
    lowest = std::min<double>(lowest, lambda[0]);
    highest = std::max<double>(highest, lambda[0]);
    REQUIRE(stepper.advance(point, 0.0, k, 1).status == StepStatus::ok);
  }
  // Written out in one tape or another: some roundings of numbers of size one.
  CHECK(std::fabs(stepper.range(2).lowest - lowest) < 1e-14);
  CHECK(std::fabs(stepper.range(2).highest - highest) < 1e-14);
  CHECK(lowest < highest);
}
