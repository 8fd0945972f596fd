// A compensated run varies its step in the last digits, and nobody notices.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "dalembert/method/library.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double h = 0.1;

Stepper compensated_stepper(const SmallSystem& small) {
  return Stepper(
      StepProgram::compile(small.system, make_method({"dla", {}}), {.compensated = true}), h);
}

/// Changes nothing; what it leaves out of the change of velocities is far below their last digit.
Method creeping(double rest) {
  return Method(MethodDefinition{
      .name = "creeping",
      .facts = Facts{.order = 1},
      .equations = [rest](const System& s, const State& a, Unknowns&, const Expr&) -> Equations {
        return {.zero = {},
                .constraint = {},
                .after = {a.q, a.v},
                .velocity_change = zeros(s.dof()),
                .velocity_rest = Vector(s.dof(), Expr(rest))};
      }});
}

}  // namespace

TEST_CASE("What a step leaves out of the change of velocities goes into the carry of the sum") {
  const SmallSystem cvt = pendulum_cvt();
  constexpr double rest = 0x1p-70;
  constexpr std::uint64_t steps = 1u << 20u;
  const auto program = StepProgram::compile(cvt.system, creeping(rest), {.compensated = true});
  Stepper stepper(program, h);
  Point point = stepper.make_point(cvt.q, std::vector<double>(3, 1.0));
  CHECK(stepper.advance(point, 0.0, 0, steps).status == StepStatus::ok);
  // Every term is a whole number of rests, and so is the sum: exact.
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(point.v[i] == 1.0 + 0x1p-50);
    CHECK(point.v_carry[i] == 0.0);
  }
  const auto spoilt =
      StepProgram::compile(cvt.system, creeping(std::nan("")), {.compensated = true});
  Stepper refused(spoilt, h);
  CHECK(refused.advance(point, 0.0, 0, 1).status == StepStatus::not_finite);
}

TEST_CASE("The step size and the time of a compensated run are those that were asked for") {
  const SmallSystem cvt = pendulum_cvt();
  Stepper stepper = compensated_stepper(cvt);
  Point point = stepper.make_point(cvt.q, cvt.v);
  const StepReport report = stepper.advance(point, 0.0, 0, 1000);
  CHECK(report.status == StepStatus::ok);
  CHECK(stepper.step_size() == h);
  CHECK(point.t == 1000.0 * h);
}

TEST_CASE("A compensated run in two parts has the bits of one") {
  const SmallSystem cvt = pendulum_cvt();
  Stepper whole = compensated_stepper(cvt), parts = compensated_stepper(cvt);
  Point once = whole.make_point(cvt.q, cvt.v), twice = once;
  CHECK(whole.advance(once, 0.0, 0, 1000).status == StepStatus::ok);
  CHECK(parts.advance(twice, 0.0, 0, 371).status == StepStatus::ok);
  CHECK(parts.advance(twice, 0.0, 371, 629).status == StepStatus::ok);
  CHECK(once.q == twice.q);
  CHECK(once.v == twice.v);
  CHECK(once.q_carry == twice.q_carry);
  CHECK(once.v_carry == twice.v_carry);
}

TEST_CASE("Steps of a compensated run differ from h in their last digits") {
  const SmallSystem cvt = pendulum_cvt();
  Stepper stepper = compensated_stepper(cvt);
  constexpr std::uint64_t steps = 330;
  const auto moved = [&](std::uint64_t k) {
    Point point = stepper.make_point(cvt.q, cvt.v);
    CHECK(stepper.advance(point, 0.0, k, 1).status == StepStatus::ok);
    return point.q[2] + (point.q_carry[2] - cvt.q[2]);
  };
  const double first = moved(0);
  int different = 0;
  for (std::uint64_t k = 1; k < steps; ++k) {
    // 16 units of h, and a few roundings of an increment below h times the speed.
    CHECK(std::abs(moved(k) - first) <= 32.0 * 0x1p-52 * h * std::abs(cvt.v[2]));
    if (moved(k) != first) ++different;
  }
  // One of 33 sizes is h itself, and one or two units are lost in rounding.
  CHECK(different > 250);
}
