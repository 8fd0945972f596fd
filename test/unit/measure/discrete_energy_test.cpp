#include "dalembert/measure/discrete_energy.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using test_support::TextSystem;

namespace {

struct Spread {
  double discrete = 0.0, exact = 0.0;  ///< of the discrete and of the exact energy of all of S
};

/// What varies along a run of the leap-frog method, over S with unit masses and springs.
template <class Energy>
Spread spread(const System& system, const std::vector<double>& parameters, std::vector<double> q,
              std::vector<double> v, double h, std::uint64_t steps, Energy energy,
              const std::string& method = "leapfrog") {
  const DiscreteEnergy discrete(system, parameters);
  Stepper stepper(StepProgram::compile(system, make_method({.name = method})), h, parameters);
  Evaluator evaluator(system, parameters);
  v = evaluator.projected_velocity(0.0, q, v);
  Point point = start_point(stepper, evaluator, q, v);
  double low = 1e300, high = -1e300, low_exact = 1e300, high_exact = -1e300;
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = steps}, [&](const Sample& sample) {
        if (sample.step > 0) {
          const double now = discrete(q, sample.q, h);
          low = numeric::smaller(low, now);
          high = numeric::larger(high, now);
        }
        const double exact = energy(sample.q, sample.v);
        low_exact = numeric::smaller(low_exact, exact);
        high_exact = numeric::larger(high_exact, exact);
        q.assign(sample.q.begin(), sample.q.end());
        return true;
      });
  REQUIRE(report.status == RunReport::Status::ok);
  return {high - low, high_exact - low_exact};
}

double passenger_energy(std::span<const double> q, std::span<const double> v) {
  return (v[0] * v[0] + v[1] * v[1] + q[0] * q[0] + q[1] * q[1]) / 2.0;
}

}  // namespace

TEST_CASE("The leap-frog method keeps the passengers' discrete energy to round-off") {
  const auto cvt = test_support::pendulum_cvt();
  CHECK(DiscreteEnergy(cvt.system).coordinates() == std::vector<std::size_t>{0, 1});
  for (const double epsilon : {0.0, 0.1, 0.5}) {
    for (const double speed : {1.8973666, 2.82842712}) {
      const Spread s =
          spread(cvt.system, {epsilon}, cvt.q, {0.0, 0.0, speed}, 0.1, 100000, passenger_energy);
      // A random walk: 2e-16 (one rounding) * 3 (size and number of roundings) * sqrt(1e5).
      CHECK_MESSAGE(s.discrete < 2e-13, s.discrete);
      CHECK_MESSAGE(s.exact > 1e-3, s.exact);
    }
  }
}

TEST_CASE("From one node it is the same number, with the multiplier that the method carries") {
  const auto cvt = test_support::pendulum_cvt();
  DiscreteEnergy energy(cvt.system);
  const double h = 0.1;
  Stepper stepper(StepProgram::compile(cvt.system, make_method({.name = "leapfrog"})), h);
  Evaluator evaluator(cvt.system);
  Point point = start_point(stepper, evaluator, cvt.q, cvt.v);
  for (int k = 0; k < 20; ++k) {
    const Point before = point;
    REQUIRE(stepper.step(point).status == StepStatus::ok);
    // (q_{k+1} - q_k)/h loses ten times the round-off of q: that of eight operations.
    CHECK(std::fabs(energy.at_node(before.q, before.v, before.lambda, h) -
                    energy(before.q, point.q, h)) < test_support::round_off_of(8.0, 10.0));
  }
}

namespace {

/// How far the discrete energy at the states of leapfrog(first=drift) leaves its first value along
/// a run, and how far the energy does.
Spread spread_at_states(const System& system, const std::vector<double>& parameters,
                        const std::vector<double>& q, std::vector<double> v, double h,
                        std::uint64_t steps, const std::string& first = "drift") {
  const DiscreteEnergy discrete(system, parameters);
  const Method method = make_method({"leapfrog", {{"first", first}}});
  Stepper stepper(StepProgram::compile(system, method), h, parameters);
  Evaluator evaluator(system, parameters);
  v = evaluator.projected_velocity(0.0, q, v);
  Point point = start_point(stepper, evaluator, q, v);
  const double start = discrete.at_state(q, v, h);
  const double exact_start = evaluator.energy(0.0, q, v);
  Spread found;
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = steps}, [&](const Sample& sample) {
        const double now = std::fabs(discrete.at_state(sample.q, sample.v, h) - start);
        found.discrete = numeric::larger(found.discrete, now);
        const double exact =
            std::fabs(evaluator.energy(sample.t, sample.point->q, sample.v) - exact_start);
        found.exact = numeric::larger(found.exact, exact);
        return true;
      });
  REQUIRE(report.status == RunReport::Status::ok);
  return found;
}

}  // namespace

TEST_CASE("A leap-frog that begins with a drift keeps it at its own states") {
  const auto cvt = test_support::pendulum_cvt();
  for (const double epsilon : {0.0, 0.1, 0.5}) {
    for (const double speed : {1.8973666, 2.82842712}) {
      const Spread s =
          spread_at_states(cvt.system, {epsilon}, cvt.q, {0.0, 0.0, speed}, 0.1, 100000);
      // A random walk: 2e-16 (one rounding) * 3 (size and number of roundings) * sqrt(1e5).
      CHECK_MESSAGE(s.discrete < 2e-13, s.discrete);
      CHECK_MESSAGE(s.exact > 1e-3, s.exact);
      const Spread other =
          spread_at_states(cvt.system, {epsilon}, cvt.q, {0.0, 0.0, speed}, 0.1, 1000, "kick");
      CHECK_MESSAGE(other.discrete > 1e-3, other.discrete);  // h^2 = 1e-2 times a tenth
    }
  }
}

TEST_CASE("Without springs that is the energy") {
  const System system = test_support::knife_edge();
  CHECK(DiscreteEnergy(system).coordinates() == std::vector<std::size_t>{0, 1, 2});
  const Spread s =
      spread_at_states(system, {}, {0.0, 0.0, M_PI / 2.0}, {0.0, 0.0, 1.0}, 0.1, 20000);
  // A random walk of 20000 steps with three roundings of numbers up to 2.
  CHECK_MESSAGE(s.discrete < 2e-13, s.discrete);
  CHECK_MESSAGE(s.exact < 2e-13, s.exact);
}

TEST_CASE("A state lies between two nodes") {
  const auto cvt = test_support::pendulum_cvt();
  const DiscreteEnergy energy(cvt.system);
  const double h = 0.1;
  const std::vector<double> q{0.7, -0.3, 0.2}, v{0.4, 0.9, -1.1};
  std::vector<double> before(3), after(3);
  for (std::size_t i = 0; i < 3; ++i) {
    before[i] = q[i] - h / 2.0 * v[i];
    after[i] = q[i] + h / 2.0 * v[i];
  }
  // (after - before)/h loses ten times the round-off of q: that of eight operations.
  CHECK(std::fabs(energy.at_state(q, v, h) - energy(before, after, h)) <
        test_support::round_off_of(8.0, 10.0));
}

TEST_CASE("Other methods do not keep it") {
  const auto cvt = test_support::pendulum_cvt();
  for (const std::string method : {"dla", "dla01", "newmark-composition"}) {
    const Spread s = spread(cvt.system, {0.0}, cvt.q, cvt.v, 0.1, 1000, passenger_energy, method);
    CHECK_MESSAGE(s.discrete > 1e-3, method);  // h^2 = 1e-2 times a tenth
  }
}

TEST_CASE("Any mass, springs and forces, several constraints") {
  TextSystem text;
  text.name = "skewed";
  text.coordinates = {"a", "driver", "b", "c"};
  text.kinetic = "(2*a_dot^2 + b_dot^2 + 3*c_dot^2 + a_dot*b_dot + 2*driver_dot^2)/2";
  text.potential = "((a + b)^2 + 2*(b - c)^2)/2 - 0.3*(a + b) + 0.2*(b - c) + k*c^2 + driver^4/8";
  text.constraints = {"(1 + b^2)*a_dot + driver*b_dot + 0.5*c_dot", "cos(driver)*a_dot - c_dot"};
  text.parameters = {{"k", 0.25}};
  const System system = define(text);
  CHECK(DiscreteEnergy(system).coordinates() == std::vector<std::size_t>{0, 2, 3});
  const Spread s = spread(system, {0.5}, {0.4, 0.6, -0.3, 0.2}, {0.3, 0.8, 0.5, 0.1}, 0.05, 20000,
                          [](auto, auto) { return 0.0; });
  // (q_{k+1} - q_k)/h loses 20 times the round-off of q.
  CHECK(s.discrete < 5e-13);
  const Spread at_states =
      spread_at_states(system, {0.5}, {0.4, 0.6, -0.3, 0.2}, {0.3, 0.8, 0.5, 0.1}, 0.05, 20000);
  // A random walk: 2e-16 * 3 * sqrt(2e4).
  CHECK(at_states.discrete < 1e-13);
}

TEST_CASE("Without constraints it is the known invariant of the oscillator") {
  TextSystem text;
  text.name = "oscillator";
  text.coordinates = {"x"};
  text.kinetic = "x_dot^2/2";
  text.potential = "2*x^2 - 3*x";
  const DiscreteEnergy energy(define(text));
  // v = 5, so 25/2 + 4 * 0.5 * 1/2 - 3 * 1.5/2.
  CHECK(energy(std::vector<double>{0.5}, std::vector<double>{1.0}, 0.1) ==
        doctest::Approx(12.5 + 1.0 - 2.25).epsilon(1e-14));
}

TEST_CASE("The passengers alone, on request, and what is refused") {
  TextSystem text;
  text.name = "contact-oscillator";
  text.coordinates = {"x1", "x2", "xi"};
  text.kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2";
  text.potential = "(x1^2 + x2^2)/2 + xi^2/2";
  text.constraints = {"x1_dot + xi*x2_dot"};
  const System contact = define(text);
  CHECK(DiscreteEnergy(contact).coordinates().size() == 3);
  CHECK(DiscreteEnergy(contact, {}, {"x2", "x1"}).coordinates() == std::vector<std::size_t>{0, 1});
  CHECK_THROWS_WITH_AS(DiscreteEnergy(contact, {}, {"x1"}),
                       "system \"contact-oscillator\" has no discrete energy: \"x1\": a constraint "
                       "couples its velocity to others",
                       RequestError);
  CHECK_THROWS_AS(DiscreteEnergy(contact, {}, {"x3"}), RequestError);
  CHECK_THROWS_AS(DiscreteEnergy(contact, std::vector<double>{1.0}), RequestError);
  CHECK_THROWS_AS(DiscreteEnergy(test_support::chaotic().system), RequestError);
  text.constraints = {"x1_dot + xi*x2_dot + 0.5"};
  CHECK_THROWS_AS(DiscreteEnergy(define(text)), RequestError);
}
