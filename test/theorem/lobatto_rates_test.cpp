// The energy of passengers drifts under `lobatto` two powers more slowly than its order says.
// Theorem 6 of doc/open-problems.md.

#include <doctest/doctest.h>

#include <cmath>

#include "support/passenger_turn.hpp"

using namespace dalembert;
using test_support::PassengerTurn;

namespace {

struct Powers {
  double axis, pair;
};
/// With which powers of the step rates fall, between two steps below which e^(-c/h) no longer
/// counts.
Powers powers_of(const MethodSpec& spec) {
  const PassengerTurn coarse(spec, 79), fine(spec, 111);
  const double ratio = std::log(coarse.h() / fine.h());
  return {std::log(std::fabs(coarse.axis_rate() / fine.axis_rate())) / ratio,
          std::log(std::fabs(coarse.pair_rate() / fine.pair_rate())) / ratio};
}
MethodSpec lobatto_of(double stages, const char* multiplier) {
  return {"lobatto", {{"stages", stages}, {"multiplier", std::string(multiplier)}}};
}

}  // namespace

TEST_CASE("Rates of lobatto fall with twice the number of stages, two powers beyond its order") {
  struct Case {
    MethodSpec method;
    double power;
  };
  // Distances to the powers are the next terms, some h^2 of them, 0.3 at most where two nearly
  // cancel; the order of the method and the powers between are further off.
  for (const Case& entry : {Case{lobatto_of(3, "turned"), 6.0}, Case{lobatto_of(4, "carried"), 8.0},
                            Case{lobatto_of(5, "turned"), 10.0}}) {
    CAPTURE(label(entry.method));
    const Powers found = powers_of(entry.method);
    CHECK(std::fabs(found.axis - entry.power) < 0.35);
    CHECK(std::fabs(found.pair - entry.power) < 0.35);
  }
  // Leading coefficients at h = 1/30, measured in another program.
  const PassengerTurn turned(lobatto_of(3, "turned"), 79);
  const double sixth = std::pow(turned.h(), 6);
  CHECK(turned.axis_rate() / sixth == doctest::Approx(-7.4e-3).epsilon(0.02));
  CHECK(turned.pair_rate() / sixth == doctest::Approx(-8.1e-3).epsilon(0.02));
}

TEST_CASE("Two stages have no rates, and spark has those of its order") {
  const PassengerTurn leapfrog(lobatto_of(2, "carried"), 79);
  // Round-off of 79 steps over the time.
  CHECK(std::fabs(leapfrog.axis_rate()) < 1e-29);
  CHECK(std::fabs(leapfrog.pair_rate()) < 1e-29);
  const Powers three = powers_of({"spark"});
  CHECK(three.axis == doctest::Approx(4.0).epsilon(0.02));
  CHECK(three.pair == doctest::Approx(4.0).epsilon(0.02));
}
