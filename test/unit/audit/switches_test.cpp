#include "dalembert/audit/switches.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "dalembert/expression/elementary_functions.hpp"
#include "dalembert/expression/pieces.hpp"
#include "dalembert/expression/table/table.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// A particle that moves along x with x = t, and with y = 0.3.
std::optional<Switch> found(const std::string& potential, const std::string& force = "0",
                            double until = 2.0) {
  TextSystem text = particle_in_plane("particle");
  text.potential = potential;
  text.force = {"0", force};
  text.parameters = {{"p", 0.0}};
  const AuditProblem problem{define(text), {0.0}, {0.0, 0.3}, {1.0, 0.0}};
  return first_switch(problem, until, 0.125);
}

}  // namespace

TEST_CASE("the first switch that a motion comes to is found, with its part, a step before it") {
  const std::optional<Switch> stop = found("min(x - 0.9, 0)^2*p");
  REQUIRE(stop);
  CHECK(stop->part == "potential");
  // From 0.75 to 0.875 is a step, and one more of the same size passes 0.9.
  CHECK(stop->t == 0.75);
  CHECK_FALSE(found("min(x - 0.9, 0)^2*p", "0", 0.5));
}

TEST_CASE("conditions, abs, sign, floor and time count, parameters and smooth functions do not") {
  for (const char* force : {"p*abs(x - 1)", "p*sign(x - 1)", "p*floor(x)", "p*max(x, 1, y)",
                            "p*piecewise(1, t < 1, 2)", "p*piecewise(1, x*y > 0.3 and y < 1, 2)"}) {
    CAPTURE(force);
    const std::optional<Switch> one = found("y^2/2 - 0.3*y", force);
    REQUIRE(one);
    CHECK(one->part == "force");
  }
  CHECK_FALSE(found("sqrt(1 + x^2)*p", "abs(p)*sin(x)"));
  CHECK_FALSE(found("0", "p*abs(x + 5)"));
}

TEST_CASE("tables switch at their points") {
  const auto table = std::make_shared<const Table>("push", std::vector<double>{-1.0, 0.9, 3.0, 4.0},
                                                   std::vector<double>{0.0, 0.0, 0.0, 0.0});
  SystemDescription description;
  description.name = "pushed";
  description.coordinates = {{"x"}};
  const System system = System::define(description, [&](const Symbols& s) {
    Mechanics m;
    m.kinetic = 0.5 * s.v[0] * s.v[0];
    m.force = {look_up(table, s.q[0])};
    return m;
  });
  CHECK(first_switch({system, {}, {0.0}, {1.0}}, 2.0, 0.125));
  CHECK_FALSE(first_switch({system, {}, {1.25}, {1.0}}, 1.0, 0.125));
}
