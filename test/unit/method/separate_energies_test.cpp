// Discrete derivatives that keep the energies of driver and passenger each.

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Wide = study::Extended;
using Integrals = DiscreteDerivative::Integrals;

/// The transmission of problems/pendulum-cvt.toml, with springs that harden where `hardening` is
/// not zero, and with a third passenger on the belt if asked.
System transmission(double epsilon, double hardening, bool third) {
  SystemDescription description{.name = "transmission",
                                .coordinates = {{"xi", true}, {"x1"}, {"x2"}}};
  if (third) description.coordinates.push_back({"x3"});
  return System::define(std::move(description), [&](const Symbols& s) {
    const Expr& xi = s.q[0];
    const Expr driver = 1.0 - cos(xi) - epsilon * sin(2.0 * xi) / 2.0;
    Expr springs = 0.0, passing = 0.0;
    for (std::size_t i = 1; i < s.q.size(); ++i) {
      const double weight = i == 1 ? 1.0 : 0.6;
      springs += square(s.q[i]) / 2.0 + weight * hardening * pow(s.q[i], 4.0) / 4.0;
      passing += square(s.v[i]) / 2.0;
    }
    const Expr driving = square(s.v[0]) / 2.0;
    Mechanics m;
    m.kinetic = passing + driving;
    m.potential = springs + driver;
    m.constraints = {s.v[1] + sin(xi) * s.v[2]};
    if (third) m.constraints[0] += cos(xi) * s.v[3] / 2.0;
    m.integrals = {{"driver_energy", driving + driver}, {"passenger_energy", passing + springs}};
    return m;
  });
}

/// Both drivers of the problem: swinging to and fro, and turning over.
constexpr double oscillating = 1.8973666, rotating = 2.82842712;

struct Run {
  BasicPoint<Wide> end;
  std::vector<double> changes;  ///< of driver_energy and passenger_energy
};

Run run(const System& system, const Method& method, double speed) {
  StepMap<Wide> map(system, method, {});
  std::vector<double> q(system.dof(), 1.0), v(system.dof(), 0.0);
  q[0] = 0.0;
  v[0] = speed;
  BasicPoint<Wide> point = map.start(q, v);
  const std::vector<Wide> before = map.integrals(point);
  REQUIRE(map.apply(point, Wide(1.0) / Wide(10.0), 100));
  const std::vector<Wide> after = map.integrals(point);
  std::vector<double> changes;
  for (std::size_t i = 0; i < before.size(); ++i)
    changes.push_back(static_cast<double>(abs(after[i] - before[i])));
  return {point, changes};
}

double apart(const Run& one, const Run& other) {
  return numeric::larger(largest_difference(one.end.q, other.end.q),
                         largest_difference(one.end.v, other.end.v));
}

const Method together = DiscreteDerivative{},
             separate = DiscreteDerivative{.integrals = Integrals::separate},
             mean_value = DiscreteDerivative{.gradient = GradientKind::mean_value};
/// Round-off of a hundred steps in 113 bits.
constexpr double exact_change = 1e-30;

}  // namespace

TEST_CASE("On the transmission separate quotients are the mean value, for both drivers") {
  for (const double epsilon : {0.0, 0.1, 0.5}) {
    const System system = transmission(epsilon, 0.0, false);
    for (const double speed : {oscillating, rotating}) {
      INFO(epsilon, ", ", speed);
      const Run ours = run(system, separate, speed);
      CHECK(apart(ours, run(system, mean_value, speed)) < exact_change);
      for (const double change : ours.changes) CHECK(change < exact_change);
      // One quotient for both hands energy from one to the other.
      const Run usual = run(system, together, speed);
      CHECK(usual.changes[0] > 1e-6);
      CHECK(std::fabs(usual.changes[0] - usual.changes[1]) < exact_change);
    }
  }
}

TEST_CASE("With springs that harden they differ, and both keep both energies") {
  // Two passengers under one constraint move along a line, where the energy decides all: there the
  // multipliers alone differ.
  for (const bool third : {false, true}) {
    const System system = transmission(0.5, 0.3, third);
    for (const double speed : {oscillating, rotating}) {
      INFO(third, ", ", speed);
      const Run ours = run(system, separate, speed), mean = run(system, mean_value, speed);
      if (third) CHECK(apart(ours, mean) > 1e-5);
      if (!third) CHECK(apart(ours, mean) < exact_change);
      CHECK(largest_difference(ours.end.lambda, mean.end.lambda) > 1e-6);
      for (const Run& each : {ours, mean}) {
        for (const double change : each.changes) CHECK(change < exact_change);
      }
    }
  }
}

TEST_CASE("What the potential, the mass or a constraint couples has one quotient") {
  const auto with = [](const char* kinetic, const char* potential, const char* constraint) {
    TextSystem text;
    text.name = "coupled";
    text.coordinates = {"x", "y", "z"};
    text.kinetic = kinetic;
    text.potential = potential;
    text.constraints = {constraint};
    return define(text);
  };
  const auto changed = [](const System& system) {
    std::vector<BasicPoint<double>> ends;
    for (const Method& method : {together, separate}) {
      StepMap<double> map(system, method, {});
      ends.push_back(
          map.start(std::vector<double>{0.7, 0.4, 0.3}, std::vector<double>{0.5, 0.4, 1.0}));
      REQUIRE(map.apply(ends.back(), 0.1, 10));
    }
    return largest_difference(ends[0].q, ends[1].q);
  };
  const char *diagonal = "(x_dot^2 + y_dot^2 + z_dot^2)/2", *sum = "x^4 + y^4 - cos(z)",
             *held = "x_dot + sin(z)*y_dot";
  CHECK(changed(with(diagonal, sum, held)) > 1e-6);
  // All in one block: the very same equations.
  CHECK(changed(with(diagonal, "x^4 + y^4 - cos(z - y)", held)) == 0.0);
  CHECK(changed(with("(x_dot^2 + y_dot^2 + z_dot^2 + x_dot*z_dot)/2", sum, held)) == 0.0);
  CHECK(changed(with(diagonal, sum, "x_dot + sin(z)*y_dot + z_dot")) == 0.0);
}
