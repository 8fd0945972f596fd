// Released from rest, unknowns across the motion are exactly zero, and what is left of them is the
// round-off of the other unknowns: Newton's iteration must see that it has converged.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/method/library.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// A car with a free steering on a slope that falls along x (`along`) or along -y.
System car(bool along) {
  TextSystem text;
  text.name = "car";
  text.coordinates = {"x", "y", "theta", "phi"};
  text.kinetic =
      "((x_dot - a*sin(theta)*theta_dot)^2 + (y_dot + a*cos(theta)*theta_dot)^2 + "
      "0.3*theta_dot^2 + 0.02*(theta_dot + phi_dot)^2)/2";
  text.potential = along ? "-0.2*(x + a*cos(theta)) + phi^2/4" : "0.2*(y + a*sin(theta)) + phi^2/4";
  text.constraints = {"cos(theta)*y_dot - sin(theta)*x_dot",
                      "cos(theta + phi)*(y_dot + cos(theta)*theta_dot) - "
                      "sin(theta + phi)*(x_dot - sin(theta)*theta_dot)"};
  text.parameters = {{"a", 0.4}};
  text.angles = {"theta"};
  return define(text);
}

/// Steps from 1/64 to 1/10, evenly in the logarithm.
std::vector<double> many_steps() {
  std::vector<double> result;
  for (int k = 0; k <= 60; ++k) result.push_back(std::pow(64.0 / 10.0, k / 60.0) / 64.0);
  return result;
}

Point run(Stepper& stepper, double h, std::uint64_t steps) {
  stepper.set_step(h);
  const std::vector<double> nothing(4, 0.0);
  Point point = stepper.make_point(nothing, nothing);
  const StepReport report = stepper.advance(point, 0.0, 0, steps);
  CAPTURE(report.residual);
  CHECK(report.status == StepStatus::ok);
  CHECK(report.steps == steps);
  return point;
}

/// 20 steps of every size. These methods have a parabola exactly, so that each step leaves some
/// units of round-off of what it adds; across the slope the wheels hold the car.
void check_release(const MethodSpec& spec) {
  constexpr std::uint64_t steps = 20;
  constexpr double tolerance = steps * 64 * 0x1p-52;
  Stepper down(StepProgram::compile(car(true), make_method(spec)), 0.1);
  Stepper across(StepProgram::compile(car(false), make_method(spec)), 0.1);
  for (const double h : many_steps()) {
    CAPTURE(h);
    const Point rolled = run(down, h, steps);
    const double t = rolled.t;
    CHECK(std::abs(rolled.q[0] - 0.1 * t * t) <= tolerance * 0.1 * t * t);
    CHECK(std::abs(rolled.v[0] - 0.2 * t) <= tolerance * 0.2 * t);
    for (const std::size_t i : {1u, 2u, 3u}) CHECK(std::abs(rolled.q[i]) <= tolerance * t * t);
    for (const double q : run(across, h, steps).q) CHECK(std::abs(q) <= tolerance * t * t);
  }
}

}  // namespace

TEST_CASE("A car released from rest rolls down the slope, with every step") {
  for (const char* name : {"lobatto", "spark"}) {
    for (const double stages : {2.0, 3.0, 4.0}) {
      CAPTURE(name);
      CAPTURE(stages);
      check_release({name, {{"stages", stages}}});
    }
  }
}
