// Optimal controls of discrete motions beside those of Pontryagin's equations, and of many kinds of
// steps beside each other.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "dalembert/control/optimal_control.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "dalembert/method/velocity_dla.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "support/parking.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// The cost of Pontryagin's extremal, and its costates of x, y, theta, of the speed along the
/// heading and of the rate of turning at the start: from shooting, with Gauss' method of order 12.
constexpr double exact_cost = 4.36120293215028;
constexpr std::array exact_costate{3.5926934422093, 2.9214800235122, 1.7963467211047,
                                   1.4916998828546, 2.0776515246106};

}  // namespace

TEST_CASE("Parking sideways has the cost and the controls of the shooting") {
  constexpr std::array steps{20, 40, 80, 160};
  constexpr std::array costs{4.3852563988940, 4.3671733139027, 4.3626927957840, 4.3615752266392};
  std::array<double, 4> found_costs{};
  std::array<std::vector<double>, 4> costates;
  const Problem problem = pushed_wheel();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto count = static_cast<std::uint64_t>(steps.at(i));
    CAPTURE(count);
    const OptimalControl found = optimal_control(problem, Dla01{}, {}, parking(count));
    REQUIRE(found.ok());
    CHECK(found.extremum == Extremum::minimum);
    CHECK(found.converged == found.trials);
    // The digits that are given.
    CHECK(std::fabs(found.cost - costs.at(i)) < 1e-12);
    CHECK(found.defect < 1e-12);
    CHECK(found.constraint < 1e-12);
    found_costs.at(i) = found.cost;
    // The mirror image costs the same: theta, push and speed change their signs.
    const double side = found.controls[1] > 0.0 ? 1.0 : -1.0;
    costates.at(i) = {found.costate[0] * -side, found.costate[1], found.costate[2] * side,
                      found.costate[3] * -side, found.costate[5] * side};
    if (count != 20) continue;
    const std::array expected{std::array{-1.156386416431, 1.906703534851},
                              std::array{1.202750913890, -0.329182236779},
                              std::array{-0.219959766598, -1.611545228556}};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t j = 0; j < 2; ++j)
        CHECK(std::fabs(found.controls[10 * k + j] * side - expected.at(k).at(j)) < 1e-11);
    const std::array middle{0.0, 0.5, 1.380810764476 * side};
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::fabs(found.q[30 + j] - middle.at(j)) < 1e-11);
    CHECK(std::fabs(std::hypot(found.v[30], found.v[31]) - 0.895987070874) < 1e-11);
  }
  // Order two, and the limit; what is left of order four is 3e-7.
  for (std::size_t i = 0; i + 1 < steps.size(); ++i)
    CHECK(std::fabs(
              std::log2((found_costs.at(i) - exact_cost) / (found_costs.at(i + 1) - exact_cost)) -
              2.0) < 0.02);
  CHECK(std::fabs((4.0 * found_costs[3] - found_costs[2]) / 3.0 - exact_cost) < 1e-6);
  for (std::size_t j = 0; j < exact_costate.size(); ++j) {
    const double limit = (4.0 * costates[3].at(j) - costates[2].at(j)) / 3.0;
    CHECK(std::fabs(std::fabs(limit) - exact_costate.at(j)) < 2e-6);
  }
}

TEST_CASE("Every kind of step has optimal controls of order two") {
  // One-step maps, stages, sweeps in lanes, methods that carry a multiplier.
  const Problem problem = pushed_wheel();
  const std::vector<Method> methods{Gauss{.stages = 3}, RungeKutta4{}, Lobatto{}, Newmark{},
                                    VelocityDla{},      Leapfrog{},    Spark{}};
  // From the controls of one of them.
  std::array<ControlOptions, 2> options{parking(40), parking(80)};
  for (ControlOptions& each : options) {
    each.guesses = {optimal_control(problem, Dla01{}, {}, each).controls};
    each.trials = 0;
  }
  for (const Method& method : methods) {
    CAPTURE(method.name());
    std::array<double, 2> errors{};
    for (std::size_t i = 0; i < 2; ++i) {
      const OptimalControl found = optimal_control(problem, method, {}, options.at(i));
      REQUIRE(found.ok());
      CHECK(found.extremum == Extremum::minimum);
      CHECK(found.defect < 1e-12);
      errors.at(i) = found.cost - exact_cost;
    }
    CHECK(std::fabs(std::log2(errors[0] / errors[1]) - 2.0) < 0.1);
  }
}

TEST_CASE("Controls of a robot in its library problem") {
  const Problem problem = load_problem("differential-drive");
  ControlOptions options{.step = 0.2, .until = 4.0};
  options.by = {"tau_l", "tau_r"};
  options.cost = half_squares(options.by);
  options.end_conditions = {element("x"), element("y", 1.0), element("theta"), rate(2)};
  options.trials = 4;
  const OptimalControl found = optimal_control(problem, Dla01{}, "starting", options);
  REQUIRE(found.ok());
  CHECK(found.extremum == Extremum::minimum);
  CHECK(found.constraint < 1e-12);
  CHECK(std::fabs(found.q[5 * 20 + 1] - 1.0) < 1e-12);
}
