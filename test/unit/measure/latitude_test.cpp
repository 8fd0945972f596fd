#include "dalembert/measure/latitude.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "dalembert/error.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using test_support::TextSystem, test_support::round_off_of;

namespace {

/// The spread of a function of the state along the solution, exact to round-off of double.
template <class Function>
double spread(const System& system, const std::vector<double>& q, const std::vector<double>& v,
              std::span<const double> parameters, double until, Function f) {
  ExactFlow<long double> flow(system, parameters);
  Evaluator evaluator(system, parameters);
  const std::vector<double> start = evaluator.projected_velocity(0.0, q, v);
  std::vector<long double> position(q.begin(), q.end()), velocity(start.begin(), start.end());
  long double t = 0.0L;
  double low = f(q, start), high = low;
  while (t < until) {
    REQUIRE(flow.advance(t, position, velocity, 0.37L));
    const double now = f(std::vector<double>(position.begin(), position.end()),
                         std::vector<double>(velocity.begin(), velocity.end()));
    low = numeric::smaller(low, now);
    high = numeric::larger(high, now);
  }
  return high - low;
}

double latitude_spread(const System& system, const std::vector<double>& q,
                       const std::vector<double>& v, std::span<const double> parameters = {}) {
  Latitude latitude(system, parameters);
  return spread(system, q, v, parameters, 60.0, latitude);
}

/// Round-off of the axis: of 30 to 100 extrapolations with a few units each, divided by its
/// sharpness of 0.8.
constexpr double axis_error = round_off_of(100.0 * 8.0 / 0.8);

/// The rotating knife with springs: in the frame that turns with the driver everything is constant.
System uniform_driver() {
  TextSystem text;
  text.name = "uniform-driver";
  text.coordinates = {"x1", "x2", "xi"};
  text.angles = {"xi"};
  text.kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2";
  text.potential = "(x1^2 + x2^2)/2";
  text.constraints = {"-sin(xi)*x1_dot + cos(xi)*x2_dot"};
  return define(text);
}

TextSystem skewed() {
  TextSystem text;
  text.name = "skewed";
  text.coordinates = {"a", "driver", "b", "c"};
  text.kinetic = "(2*a_dot^2 + b_dot^2 + 3*c_dot^2 + a_dot*b_dot + 2*driver_dot^2)/2";
  text.potential =
      "((a + b)^2 + 2*(b - c)^2)/2 - 0.3*(a + b) + 0.2*(b - c) + driver^2/2 + driver^4/8 - "
      "driver^3/10";
  text.constraints = {"a_dot + driver*b_dot + 0.5*c_dot", "cos(driver)*a_dot - c_dot"};
  return text;
}

}  // namespace

TEST_CASE("The axis of a driver that turns uniformly is known in closed form") {
  Latitude latitude(uniform_driver());
  CHECK(latitude.driver() == 2);
  // Some 30 extrapolations with a few units of round-off each; periods divide by a rate of 0.7.
  constexpr double tolerance = round_off_of(90.0);
  for (const double rate : {1.0, -0.7, 2.5}) {
    for (const double xi : {0.0, 1.3, -2.9}) {
      const Latitude::Axis axis = latitude.axis(xi, rate);
      // k = (cos, sin), omega = (-sin, cos, 0): less the frame's rate about the third axis.
      const double size = std::hypot(1.0, rate);
      const std::vector<double> q{0.3, -0.8, xi}, v{0.6 * std::cos(xi), 0.6 * std::sin(xi), rate};
      const double expected = (-std::sin(xi) * q[0] + std::cos(xi) * q[1] - rate * 0.6) / size;
      CHECK(axis.period ==
            doctest::Approx(2.0 * std::numbers::pi / std::fabs(rate)).epsilon(tolerance));
      CHECK(std::fabs(std::fabs(latitude(q, v)) - std::fabs(expected)) <
            2.0 * tolerance / axis.sharpness);  // the axis and the state
      const double angle = axis.period * size;
      CHECK(axis.sharpness ==
            doctest::Approx(std::fabs(std::sin(angle / 2.0))).epsilon(2.0 * tolerance));
    }
  }
}

TEST_CASE("The latitude is constant along exact solutions, to round-off") {
  const auto cvt = test_support::pendulum_cvt();
  for (const double epsilon : {0.0, 0.1, 0.5}) {
    for (const double speed : {1.8973666, 2.82842712}) {
      const std::vector<double> parameters{epsilon};
      CHECK(latitude_spread(cvt.system, cvt.q, {0.0, 0.0, speed}, parameters) < axis_error);
    }
  }
  TextSystem contact;
  contact.name = "contact-oscillator";
  contact.coordinates = {"x1", "x2", "xi"};
  contact.kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2";
  contact.potential = "(x1^2 + x2^2)/2 + xi^2/2";
  contact.constraints = {"x1_dot + xi*x2_dot"};
  CHECK(latitude_spread(define(contact), {1.0, 0.3, 0.5}, {-0.2, 0.4, 1.0}) < axis_error);
}

TEST_CASE("Any mass, stiffness of rank two, constant force and number of passengers") {
  const System system = define(skewed());
  Latitude latitude(system);
  CHECK(latitude.driver() == 1);
  CHECK(latitude.passengers() == std::vector<std::size_t>{0, 2, 3});
  CHECK(latitude_spread(system, {0.4, 0.6, -0.3, 0.2}, {0.3, 0.8, 0.5, 0.1}) < axis_error);
}

TEST_CASE("The length of the passenger's vector is its energy") {
  const auto cvt = test_support::pendulum_cvt();
  Latitude latitude(cvt.system);
  const std::vector<double> q{0.4, -0.7, 0.9};
  // On the constraint: x_dot along (-sin xi, 1).
  const std::vector<double> v{-0.3 * std::sin(0.9), 0.3, 1.1};
  const Latitude::Direction u = latitude.passenger(q, v);
  const double energy = (v[0] * v[0] + v[1] * v[1] + q[0] * q[0] + q[1] * q[1]) / 2.0;
  // A vector of some ten operations in each of three entries.
  CHECK((u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / 2.0 ==
        doctest::Approx(energy).epsilon(round_off_of(30.0)));
  CHECK(std::fabs(latitude.sine(q, v)) <= 1.0);
}

TEST_CASE("The latitude is an integral of its own: it changes where both energies do not") {
  const auto cvt = test_support::pendulum_cvt();
  Latitude latitude(cvt.system);
  const std::vector<double> v{0.0, 0.0, 1.9};
  // The same passenger energy and driver, another point of the sphere.
  CHECK(std::fabs(latitude(std::vector<double>{1.0, 1.0, 0.0}, v) -
                  latitude(std::vector<double>{std::sqrt(2.0), 0.0, 0.0}, v)) > 0.1);
}

TEST_CASE("The error of the latitude along a method falls with its order") {
  const auto cvt = test_support::pendulum_cvt();
  Latitude latitude(cvt.system);
  const auto error = [&](double h) {
    Stepper stepper(StepProgram::compile(cvt.system, make_method({.name = "leapfrog"})), h);
    Evaluator evaluator(cvt.system);
    Point point = start_point(stepper, evaluator, cvt.q, cvt.v);
    const double at_start = latitude(cvt.q, cvt.v);
    double largest = 0.0;
    const auto steps = static_cast<std::uint64_t>(20.0 / h);
    const RunReport report = integrate(
        stepper, evaluator, point, {.steps = steps, .observe_every = 2}, [&](const Sample& s) {
          largest = numeric::larger(largest, std::fabs(latitude(s.q, s.v) - at_start));
          return true;
        });
    CHECK(report.status == RunReport::Status::ok);
    return largest;
  };
  // Order 2: a quarter, up to terms of order h^2 relative.
  CHECK(error(0.1) / error(0.05) == doctest::Approx(4.0).epsilon(0.05));
}

TEST_CASE("Drivers that do not return, and drivers at rest") {
  TextSystem text = skewed();
  text.coordinates = {"a", "b", "xi"};
  text.kinetic = "(a_dot^2 + b_dot^2 + xi_dot^2)/2";
  text.potential = "(a^2 + b^2)/2 + xi^2/2";
  text.constraints = {"a_dot + xi*b_dot"};
  Latitude harmonic(define(text));
  const Latitude::Axis rest = harmonic.axis(0.0, 0.0);
  CHECK(rest.period == 0.0);
  CHECK(std::fabs(rest.direction[0]) == doctest::Approx(1.0));
  // Its own period does not depend on the amplitude; extrapolations see 1e-9 with 1e-16/1e-9.
  CHECK(harmonic.axis(0.0, 1e-9).period == doctest::Approx(2.0 * std::numbers::pi).epsilon(1e-7));
  text.potential = "(a^2 + b^2)/2";
  text.constraints = {"a_dot + b_dot/(1 + xi^2)"};
  Latitude free(define(text));
  CHECK(std::isinf(free.axis(0.0, 1.0).period));
  CHECK(std::isnan(free.axis(0.0, 1.0).direction[0]));
}

TEST_CASE("Systems without a latitude are refused with the reason") {
  TextSystem text = skewed();
  text.coordinates = {"a", "b", "xi"};
  text.kinetic = "(a_dot^2 + b_dot^2 + xi_dot^2)/2";
  text.constraints = {"a_dot + xi*b_dot"};
  text.potential = "b^2/2 + xi^2/2";
  CHECK_THROWS_WITH_AS(Latitude(define(text)),
                       "system \"skewed\" has no latitude integral: the rank of the passengers' "
                       "stiffness matrix is 1; a sphere needs 2",
                       RequestError);
  text.potential = "(a^2 + b^2)/2 + a^4 + xi^2/2";
  CHECK_THROWS_AS(Latitude(define(text)), RequestError);
  text.potential = "(a^2 + b^2)/2 + a*xi";
  CHECK_THROWS_AS(Latitude(define(text)), RequestError);
  text.potential = "(a^2 + b^2)/2 + xi^2";
  CHECK_THROWS_AS(Latitude(define(text), {}, "eta"), RequestError);
  CHECK_THROWS_AS(Latitude(define(text), {}, "a"), RequestError);
  CHECK_THROWS_AS(Latitude(define(text), std::vector<double>{1.0}), RequestError);
  text.constraints = {"a_dot + xi*b_dot + xi_dot"};
  CHECK_THROWS_AS(Latitude(define(text)), RequestError);
  text.constraints = {};
  CHECK_THROWS_AS(Latitude(define(text)), RequestError);
  CHECK_THROWS_AS(Latitude(test_support::chaotic().system), RequestError);
}
