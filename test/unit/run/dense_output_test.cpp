#include "dalembert/run/dense_output.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/round_off.hpp"
#include "support/text_system.hpp"

using namespace dalembert;

namespace {

/// x'' = -x and an angle that turns at the rate 3.
System oscillator_and_rotor() {
  test_support::TextSystem text;
  text.name = "oscillator-and-rotor";
  text.coordinates = {"x", "turn"};
  text.angles = {"turn"};
  text.kinetic = "(x_dot^2 + turn_dot^2)/2";
  text.potential = "x^2/2";
  return define(text);
}

}  // namespace

TEST_CASE("Between the nodes the polynomial follows the motion, across turns of an angle") {
  const System system = oscillator_and_rotor();
  const auto program =
      StepProgram::compile(system, Method(Lobatto{.stages = 4, .dense_output = true}), {});
  const double h = 0.1;
  Stepper stepper(program, h);
  Evaluator evaluator(system);
  Point before =
      start_point(stepper, evaluator, std::vector<double>{0, 0}, std::vector<double>{1, 3});
  const DenseOutput dense(*program);
  double error = 0.0, join = 0.0;
  for (int k = 0; k < 100; ++k) {
    Point after = before;
    REQUIRE(stepper.step(after).status == StepStatus::ok);
    for (const double fraction : {0.0, 0.1, 0.37, 0.5, 0.9, 1.0}) {
      const InterpolatedState state = dense.at(before, after, fraction);
      // A hundred sums of times up to 10.
      CHECK(std::fabs(state.t - (k + fraction) * h) < test_support::round_off_of(100.0, 10.0));
      error = std::max({error, std::fabs(state.q[0] - std::sin(state.t)),
                        std::fabs(state.q[1] - 3.0 * state.t),
                        std::fabs(state.v[0] - std::cos(state.t)), std::fabs(state.v[1] - 3.0)});
    }
    join = numeric::larger(join, std::fabs(dense.at(before, after, 1.0).v[0] - after.v[0]));
    before = after;
  }
  // h^4 = 1e-4 times a derivative of order one over 4!, times a product of distances below a tenth.
  CHECK(error < 1e-6);
  CHECK(error > 1e-8);
  CHECK(join == 0.0);
}

TEST_CASE("A method without dense output is refused") {
  const auto program = StepProgram::compile(oscillator_and_rotor(), Method(Leapfrog{}), {});
  CHECK_THROWS_WITH_AS(DenseOutput{*program}, doctest::Contains("gives no dense output"),
                       RequestError);
}
