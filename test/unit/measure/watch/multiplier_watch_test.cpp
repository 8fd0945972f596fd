#include "dalembert/measure/watch/multiplier_watch.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/error.hpp"

using namespace dalembert;

namespace {

/// A particle of mass 1 on a plane with the potential 3 x^2, whose y follows 2 x: (1 + 4) x'' =
/// -6 x, so that lambda = y'' = -12 x/5.
System sliding() {
  return System::define({.name = "sliding", .coordinates = {{"x"}, {"y"}}}, [](const Symbols& s) {
    Mechanics m;
    m.kinetic = (square(s.v[0]) + square(s.v[1])) / 2.0;
    m.potential = 3.0 * square(s.q[0]);
    m.constraints = {s.v[1] - 2.0 * s.v[0]};
    return m;
  });
}

/// Of a kinetic energy of 10 and constraints whose terms are of size 4.
Departures terms() {
  Departures found;
  found.energy.scale = 10.0;
  found.constraints.resize(1);
  found.constraints[0].scale = 4.0;
  return found;
}

void look(MultiplierWatch& watch, double t, double x, double carried) {
  watch.see(t, std::vector{x, 0.0}, std::vector{1.0, 2.0}, std::vector{carried}, terms());
}

}  // namespace

TEST_CASE("a carried multiplier that leaves that of the motion by a tenth is named with its time") {
  const System system = sliding();
  MultiplierWatch watch(system, {}, 0.1);
  look(watch, 0.0, 1.0, -2.4);
  look(watch, 1.0, 0.5, -1.2 - 0.239);  // less than a tenth of the largest, 2.4
  CHECK_FALSE(furthest_multiplier(watch.found()));
  CHECK(left_multiplier_text(system.multiplier_names(), watch.found()) == "");
  look(watch, 2.0, 0.5, -1.2 + 0.241);
  look(watch, 3.0, 0.5, -1.2 - 7.2);
  REQUIRE(furthest_multiplier(watch.found()) == 0);
  CHECK(watch.found()[0].since == 2.0);
  const std::string text = left_multiplier_text(system.multiplier_names(), watch.found());
  CHECK_MESSAGE(
      text.find("the carried multiplier lambda_1 has left that of the motion (3 times the largest "
                "that it has been): off by up to 7.2") == 0,
      text);
  CHECK(text.find("from t = 2 on") != std::string::npos);
}

TEST_CASE("a difference that larger multipliers of the motion explain later is none") {
  MultiplierWatch watch(sliding(), {}, 0.1);
  look(watch, 0.0, 0.1, -0.24 - 0.05);
  CHECK(furthest_multiplier(watch.found()));
  look(watch, 1.0, 1.0, -2.4);
  CHECK_FALSE(furthest_multiplier(watch.found()));
}

TEST_CASE("round-off beside a multiplier that is zero is no departure") {
  const System system = sliding();
  MultiplierWatch watch(system, {}, 0.1);
  // Its reaction does a work of 0.1 * 4 * 1e-9 in a step: less than 1e-9 of ten.
  look(watch, 0.0, 0.0, 1e-9);
  CHECK_FALSE(furthest_multiplier(watch.found()));
  look(watch, 1.0, 0.0, 1e-7);
  REQUIRE(furthest_multiplier(watch.found()));
  CHECK(left_multiplier_text(system.multiplier_names(), watch.found())
            .find("which is zero): off by up to 1e-07, from t = 1 on") != std::string::npos);
}

TEST_CASE("a multiplier that is no number has left") {
  MultiplierWatch watch(sliding(), {}, 0.1);
  look(watch, 1.0, 1.0, NAN);
  CHECK(furthest_multiplier(watch.found()));
}

TEST_CASE("a watch goes on from what was found before, and without one nothing is looked at") {
  MultiplierWatch first(sliding(), {}, 0.1);
  look(first, 1.0, 1.0, 0.0);
  const MultiplierWatch second(sliding(), {}, 0.1, first.found());
  CHECK(second.found()[0].since == 1.0);
  MultiplierWatch none;
  CHECK(none.is_empty());
  look(none, 1.0, 1.0, 0.0);
  CHECK(none.found().empty());
  CHECK_THROWS_AS(MultiplierWatch(sliding(), std::vector{1.0}, 0.1), RequestError);
}
