#include "dalembert/measure/floquet.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "dalembert/error.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/measure/latitude.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using test_support::TextSystem;

namespace {

using Entries = std::vector<double>;

/// u after a unit of time under u' = a u, by Taylor's series in 1024 steps: an error of some 1e-13.
Entries after_unit_time(const Entries& a, Entries u) {
  const std::size_t n = u.size();
  for (int step = 0; step < 1024; ++step) {
    Entries term = u;
    for (int k = 1; k < 12; ++k) {
      Entries next(n, 0.0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) next[i] += a[i * n + j] * term[j] / (1024.0 * k);
        u[i] += next[i];
      }
      term = next;
    }
  }
  return u;
}

double distance(const Entries& a, const Entries& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = numeric::larger(largest, std::fabs(a[i] - b[i]));
  return largest;
}

/// The monodromy moves the variables as the exact motion over a period of the driver does, and it
/// is the exponential of the average.
void check_average(const System& system, const Entries& q, const Entries& direction) {
  FloquetAverage floquet(system);
  Evaluator evaluator(system);
  const Entries v = evaluator.projected_velocity(0.0, q, direction);
  const FloquetAverage::Average average = floquet.at(q, v);
  const std::size_t n = floquet.size();
  ExactFlow<long double> flow(system);
  std::vector<long double> position(q.begin(), q.end()), velocity(v.begin(), v.end());
  long double t = 0.0L;
  REQUIRE(flow.advance(t, position, velocity, static_cast<long double>(average.period)));
  const Entries before = floquet.variables(q, v),
                after = floquet.variables(Entries(position.begin(), position.end()),
                                          Entries(velocity.begin(), velocity.end()));
  Entries expected(n, 0.0), generator = average.generator;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) expected[i] += average.monodromy[i * n + j] * before[j];
  }
  // Round-off of some 20 extrapolations with states of size one.
  CHECK(distance(after, expected) < 1e-12);
  for (double& value : generator) value *= average.period;
  CHECK(distance(after_unit_time(generator, before), expected) < 1e-11);
}

TextSystem coupled(std::vector<std::string> coordinates, const std::string& kinetic,
                   const std::string& potential, std::vector<std::string> constraints) {
  TextSystem text;
  text.name = "coupled";
  text.coordinates = std::move(coordinates);
  text.kinetic = kinetic;
  text.potential = potential;
  text.constraints = std::move(constraints);
  return text;
}

TextSystem knife_edge(const std::string& epsilon) {
  TextSystem text = coupled({"x1", "x2", "xi"}, "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2", "-x1",
                            {"-sin(xi)*x1_dot + (cos(xi) - " + epsilon + ")*x2_dot"});
  text.angles = {"xi"};
  return text;
}

}  // namespace

TEST_CASE("The average advances the passengers by a period, whatever the group") {
  // Rotations of the sphere, with a force that springs balance and a mass that is not one.
  check_average(define(coupled({"a", "driver", "b", "c"},
                               "(2*a_dot^2 + b_dot^2 + 3*c_dot^2 + a_dot*b_dot + 2*driver_dot^2)/2",
                               "((a + b)^2 + 2*(b - c)^2)/2 - 0.3*(a + b) + 0.2*(b - c) + "
                               "driver^2/2 + driver^4/8 - driver^3/10",
                               {"a_dot + driver*b_dot + 0.5*c_dot", "cos(driver)*a_dot - c_dot"})),
                {0.4, 0.6, -0.3, 0.2}, {0.3, 0.8, 0.5, 0.1});
  // A spring of rank one and a force that none balances: rotations of the plane, and translations.
  check_average(define(coupled({"x", "y", "xi"}, "(x_dot^2 + y_dot^2 + xi_dot^2)/2",
                               "y^2/2 - 0.3*x + xi^2/2 + xi^4/4", {"x_dot + (xi + 0.2)*y_dot"})),
                {0.4, 0.6, 0.3}, {0.3, 0.8, 0.5});
  // Rank three: rotations in four dimensions.
  check_average(define(coupled({"a", "b", "c", "xi"}, "(a_dot^2 + b_dot^2 + c_dot^2 + xi_dot^2)/2",
                               "(a^2 + 2*b^2 + 3*c^2)/2 + xi^2/2 + xi^3/10",
                               {"a_dot + xi*b_dot", "c_dot - sin(xi)*a_dot + 0.4*b_dot"})),
                {0.4, 0.6, -0.3, 0.2}, {0.3, 0.8, 0.5, 0.6});
  check_average(define(knife_edge("0.1")), {0.0, 0.0, 1.0}, {0.2, 0.5, 1.3});
}

TEST_CASE("On the sphere the average turns about the axis of the latitude") {
  const auto cvt = test_support::pendulum_cvt();
  FloquetAverage floquet(cvt.system);
  Latitude latitude(cvt.system);
  for (const double speed : {1.8973666, 2.82842712}) {
    const Latitude::Axis axis = latitude.axis(0.3, speed);
    const FloquetAverage::Average average = floquet.at(0.3, speed);
    // Both roads take some 20 extrapolations, each with a few units of round-off, of sizes up
    // to 10.
    constexpr double tolerance = test_support::round_off_of(50.0, 10.0);
    CHECK(average.period == doctest::Approx(axis.period).epsilon(tolerance));
    const double turn = std::remainder(axis.angle, 2.0 * std::numbers::pi) / axis.period;
    const double g[3] = {turn * axis.direction[0], turn * axis.direction[1],
                         turn * axis.direction[2]};
    const Entries expected{0.0,   -g[2], g[1], 0.0, g[2], 0.0, -g[0], 0.0,
                           -g[1], g[0],  0.0,  0.0, 0.0,  0.0, 0.0,   0.0};
    CHECK(distance(average.generator, expected) < tolerance / axis.sharpness);
    const Entries q{0.1, 0.2, 0.3}, v{0.0, 0.0, speed};
    CHECK(floquet.rate(q, v) == doctest::Approx(std::fabs(turn)).epsilon(tolerance));
  }
}

TEST_CASE("A knife edge has a mean acceleration where its speed has no bound") {
  // The mean of k.f over a turn by the trapezoidal rule, which is exact to round-off here.
  const auto mean = [](double epsilon) {
    double sum = 0.0;
    constexpr int points = 64;
    for (int i = 0; i < points; ++i) {
      const double c = std::cos(2.0 * std::numbers::pi * i / points);
      sum += (c - epsilon) / std::sqrt(1.0 - 2.0 * epsilon * c + epsilon * epsilon) / points;
    }
    return std::fabs(sum);
  };
  // The extrapolations of a turn, with a few units of round-off each.
  constexpr double tolerance = test_support::round_off_of(90.0);
  for (const double rate : {1.0, -0.6}) {
    const Entries q{0.0, 0.0, 0.7}, v{0.0, 0.0, rate};
    CHECK(FloquetAverage(define(knife_edge("0"))).rate(q, v) < tolerance);
    CHECK(FloquetAverage(define(knife_edge("0.1"))).rate(q, v) ==
          doctest::Approx(mean(0.1)).epsilon(tolerance));
  }
  CHECK(mean(0.1) > 0.04);
}

TEST_CASE("Drivers at rest, drivers that do not return, and systems of another kind") {
  TextSystem text = coupled({"a", "b", "xi"}, "(a_dot^2 + b_dot^2 + xi_dot^2)/2",
                            "(a^2 + b^2)/2 + xi^2/2", {"a_dot + xi*b_dot"});
  const FloquetAverage::Average rest = FloquetAverage(define(text)).at(0.0, 0.0);
  CHECK(rest.period == 0.0);
  // k = (0, 1) up to its sign: b and s turn.
  CHECK(std::fabs(rest.generator[1 * 4 + 2]) == doctest::Approx(1.0));
  CHECK(rest.generator[0 * 4 + 2] == 0.0);
  text.potential = "(a^2 + b^2)/2";
  const FloquetAverage::Average away = FloquetAverage(define(text)).at(0.0, 1.0);
  CHECK(std::isinf(away.period));
  CHECK(std::isnan(away.generator[0]));
  text.potential = "(a^2 + b^2)/2 + a*xi";
  CHECK_THROWS_WITH_AS(FloquetAverage(define(text)),
                       doctest::Contains("has no average over a driver"), RequestError);
}
