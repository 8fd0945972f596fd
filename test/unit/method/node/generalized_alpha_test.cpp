// Generalized-alpha with velocity constraints: what the trapezoidal rule is half a step away from.
#include "dalembert/method/node/generalized_alpha.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/kept_energy.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "study/extended.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Wide = study::Extended;

System coupled_springs() {
  TextSystem text{
      "springs", {"x", "y", "z"}, "(x_dot^2 + 2*y_dot^2 + z_dot^2)/2", "(x^2 + 2*y^2)/2 + x*z/4"};
  text.constraints = {"z_dot - y*x_dot"};
  return define(text);
}

const std::vector<double> spring_start{1.0, 1.0, 0.5}, spring_speed{-0.15, 0.3, -0.15};

}  // namespace

TEST_CASE(
    "The trapezoidal rule is the midpoint rule with the constraint in the middle, half a step "
    "later") {
  const System system = coupled_springs();
  const Method method = GeneralizedAlpha{}, midpoint = DiscreteDerivative{};
  const Wide h(0.125), half = h / Wide(2.0);
  const Symbols s = system.symbols();
  const Vector lambda{make_symbol(s.t.graph(), "m")};
  const Vector free = system.unconstrained_acceleration(s.q, s.v);
  StateFunction<Wide> acceleration(system, s, free + system.multiplier_directions(s.q) * lambda, {},
                                   lambda);
  StepMap<Wide> map(system, method, {}), other(system, midpoint, {});
  BasicPoint<Wide> point = map.start(spring_start, spring_speed);
  const auto moved = [&] {
    BasicPoint<Wide> there = point;
    const auto a = acceleration(point.t, point.q, point.v, point.lambda);
    for (std::size_t i = 0; i < 3; ++i) {
      there.q[i] = point.q[i] + half * point.v[i];
      there.v[i] = point.v[i] + half * a[i];
    }
    return there;
  };
  BasicPoint<Wide> beside = moved();
  for (int k = 0; k < 20; ++k) {
    REQUIRE(map.apply(point, h));
    REQUIRE(other.apply(beside, h));
    const BasicPoint<Wide> expected = moved();
    // Round-off of twenty steps of some hundred operations; of v by a division by the step.
    CHECK(largest_difference(beside.q, expected.q) < 1e-28);
    CHECK(largest_difference(beside.v, expected.v) < 1e-28);
  }
}

TEST_CASE("rho = 1 keeps the energy half a step away, for quadratic potentials; damping shows") {
  const System system = coupled_springs();
  const Method method = GeneralizedAlpha{}, damped = GeneralizedAlpha{.rho = 0.0};
  CHECK_FALSE(kept_energy<double>(system, damped, 0.25));
  auto energy = kept_energy<double>(system, method, 0.25);
  REQUIRE(energy);
  StepMap<double> map(system, method, {});
  BasicPoint<double> point = map.start(spring_start, spring_speed);
  const double first = (*energy)(0.0, point.q, point.v, point.lambda).front();
  REQUIRE(map.apply(point, 0.25, 2000));
  // Two thousand steps of round-off, which add up at random.
  CHECK(std::fabs((*energy)(0.0, point.q, point.v, point.lambda).front() - first) < 1e-13);
  // Undamped the energy stays within its oscillation, of order h^2; with rho = 0 it goes.
  StepMap<double> loses(system, damped, {});
  BasicPoint<double> other = loses.start(spring_start, spring_speed);
  const double start = loses.energy(other);
  REQUIRE(loses.apply(other, 0.5, 2000));
  CHECK(std::fabs(map.energy(point) - start) < 0.05 * start);
  CHECK(loses.energy(other) < 0.5 * start);
}

TEST_CASE("What it carries is named by velocities, and is the acceleration at the start") {
  const System system = coupled_springs();
  CHECK(Method(GeneralizedAlpha{}).carried_names(system).empty());
  const Method damped = GeneralizedAlpha{.rho = 0.5};
  CHECK(damped.carried_names(system) ==
        std::vector<std::string>{"x_dot_rate", "y_dot_rate", "z_dot_rate"});
}
