#include "dalembert/mechanics/event/impact.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using test_support::define;
using test_support::TextSystem;

namespace {

/// A skate: it moves along its edge alone.
System skate() {
  return define({.name = "skate",
                 .coordinates = {"x", "y", "theta"},
                 .kinetic = "(x_dot^2 + 2*y_dot^2 + theta_dot^2/3)/2",
                 .potential = "x/5",
                 .constraints = {"x_dot*sin(theta) - y_dot*cos(theta)"},
                 .angles = {"theta"}});
}

/// One contact along coordinate i.
ContactLaw wall(std::size_t i, double restitution) {
  return [i, restitution](const Symbols& s) {
    return std::vector<ContactVelocity>{{s.v[i], restitution}};
  };
}

// Some ten operations on numbers of size one.
constexpr double few = 1e-15 * 4;

}  // namespace

TEST_CASE("a skate is thrown back along its edge, and turns on") {
  const System system = skate();
  Evaluator evaluator(system);
  const double angle = 0.4;
  const std::vector<double> q{1.0, 0.5, angle};
  const std::vector<double> before{2.0 * std::cos(angle), 2.0 * std::sin(angle), 0.7};
  for (const double e : {1.0, 0.6, 0.0}) {
    CAPTURE(e);
    std::vector<double> v = before;
    REQUIRE(Impact(system, wall(0, e))(0.0, q, v) == Impact::Outcome::done);
    CHECK(std::fabs(v[0] + e * before[0]) < few);
    CHECK(std::fabs(v[1] + e * before[1]) < few);
    CHECK(std::fabs(v[2] - 0.7) < few);
    CHECK(evaluator.constraint_error(0.0, q, v) < few);
    const double ratio = evaluator.energy(0.0, q, v) - evaluator.energy(0.0, q, before);
    const double speed = 2.0 * (1.0 + std::pow(std::sin(angle), 2));
    CHECK(std::fabs(ratio + (1.0 - e * e) * speed) < few);
  }
}

TEST_CASE("an impact without loss is the reflection in the metric of the mass along D") {
  // v - 2 (n.v) / (n.P M^-1 n) P M^-1 n, of a system whose constraint couples all velocities.
  const System system = define({.name = "coupled",
                                .coordinates = {"x", "y", "z"},
                                .kinetic = "(2*x_dot^2 + y_dot^2 + 3*z_dot^2 + x_dot*y_dot)/2",
                                .potential = "0",
                                .constraints = {"x_dot + y*y_dot - z_dot"}});
  Evaluator evaluator(system);
  const std::vector<double> q{0.3, 0.8, 0.1};
  const std::vector<double> before =
      evaluator.projected_velocity(0.0, q, std::vector{-1.0, 0.4, 0.2});
  // M^-1 n for n = (1, 0, 0), projected: M = [[2, .5, 0], [.5, 1, 0], [0, 0, 3]].
  const std::vector<double> along =
      evaluator.projected_velocity(0.0, q, std::vector{1.0 / 1.75, -0.5 / 1.75, 0.0});
  std::vector<double> v = before;
  REQUIRE(Impact(system, wall(0, 1.0))(0.0, q, v) == Impact::Outcome::done);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::fabs(v[i] - (before[i] - 2.0 * before[0] / along[0] * along[i])) < few);
  CHECK(std::fabs(evaluator.energy(0.0, q, v) - evaluator.energy(0.0, q, before)) < few);
}

TEST_CASE("a floor that grips makes a falling disk roll") {
  const System system = define({.name = "disk",
                                .coordinates = {"x", "z", "phi"},
                                .kinetic = "(m*(x_dot^2 + z_dot^2) + I*phi_dot^2)/2",
                                .potential = "m*z",
                                .parameters = {{"m", 2.0}, {"I", 0.3}},
                                .angles = {"phi"}});
  const double r = 0.5, m = 2.0, inertia = 0.3;
  const ContactLaw floor = [r](const Symbols& s) {
    return std::vector<ContactVelocity>{{s.v[1], 0.8}, {s.v[0] - r * s.v[2], 0.0}};
  };
  std::vector<double> v{1.0, -2.0, -3.0};
  REQUIRE(Impact(system, floor)(0.0, std::vector{0.0, 0.5, 0.0}, v) == Impact::Outcome::done);
  // The impulse J along the floor: m (vx+ - vx) = J, I (w+ - w) = -r J, vx+ = r w+.
  const double impulse = -(1.0 - r * -3.0) / (1.0 / m + r * r / inertia);
  CHECK(std::fabs(v[0] - (1.0 + impulse / m)) < few);
  CHECK(std::fabs(v[1] - 1.6) < few);
  CHECK(std::fabs(v[2] - (-3.0 - r * impulse / inertia)) < few);
  CHECK(std::fabs(v[0] - r * v[2]) < few);
}

TEST_CASE("impulses act on momenta and respect constraints that are not linear") {
  // A relativistic particle: p = v / sqrt(1 - v.v), which a wall reflects.
  TextSystem text{.name = "relativistic",
                  .coordinates = {"x", "y"},
                  .kinetic = "",
                  .potential = "",
                  .lagrangian = "-sqrt(1 - x_dot^2 - y_dot^2)"};
  std::vector<double> v{0.5, -0.6};
  REQUIRE(Impact(define(text), wall(1, 0.5))(0.0, std::vector{0.0, 0.0}, v) ==
          Impact::Outcome::done);
  CHECK(std::fabs(v[1] - 0.3) < few);
  const double before = 0.5 / std::sqrt(1.0 - 0.61),
               after = v[0] / std::sqrt(1.0 - v[0] * v[0] - 0.09);
  CHECK(std::fabs(before - after) < few);

  // Appell's constraint: z' = |(x', y')| stays, whatever happens to x'.
  const System appell = define({.name = "cone",
                                .coordinates = {"x", "y", "z"},
                                .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2",
                                .potential = "0",
                                .constraints = {"z_dot^2 - x_dot^2 - y_dot^2"}});
  std::vector<double> w{-0.6, 0.8, 1.0};
  REQUIRE(Impact(appell, wall(0, 1.0))(0.0, std::vector{0.0, 0.0, 0.0}, w) ==
          Impact::Outcome::done);
  CHECK(std::fabs(w[0] - 0.6) < few);
  CHECK(Evaluator(appell).constraint_error(0.0, std::vector{0.0, 0.0, 0.0}, w) < few);
}

TEST_CASE("an impact that cannot be says so and changes nothing") {
  const std::vector<double> q{0.0, 0.0, 0.0}, before{1.0, 0.0, 0.5};
  std::vector<double> v = before;
  // Across its edge a skate has no velocity that could change.
  CHECK(Impact(skate(), wall(1, 1.0))(0.0, q, v) == Impact::Outcome::not_free);
  CHECK(v == before);
  CHECK(Impact(skate(), wall(0, 1.5))(0.0, q, v) == Impact::Outcome::no_restitution);
  CHECK(v == before);
  CHECK_THROWS_AS(Impact(skate(), [](const Symbols&) { return std::vector<ContactVelocity>{}; }),
                  RequestError);
  CHECK_THROWS_AS(
      Impact(skate(), [](const Symbols& s) { return std::vector<ContactVelocity>{{s.q[0]}}; }),
      RequestError);
}
