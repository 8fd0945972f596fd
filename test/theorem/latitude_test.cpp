// The latitude of passengers under driver-splitting: exact where the driver closes, near its start
// for a very long time elsewhere, and lost at resonances. Theorem 7 of doc/open-problems.md.

#include "dalembert/measure/latitude.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "dalembert/numeric/extremes.hpp"
#include "support/passenger_turn.hpp"

using namespace dalembert;
using test_support::PassengerTurn, test_support::Extended;

namespace {

const double rotating_speed = std::sqrt(8.0);

/// The unit vector along the axis of a rotation of three coordinates: the row of P - 1 crossed with
/// another.
Latitude::Direction axis_of(const PassengerTurn& turn) {
  const auto p = turn.matrix();
  const auto row = [&](std::size_t i) {
    Latitude::Direction entries{};
    for (std::size_t j = 0; j < 3; ++j)
      entries[j] = static_cast<double>(p[i][j] - Extended(i == j ? 1.0 : 0.0));
    return entries;
  };
  const auto a = row(0), b = row(1);
  Latitude::Direction axis{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                           a[0] * b[1] - a[1] * b[0]};
  const double size = std::hypot(axis[0], axis[1], axis[2]);
  for (double& entry : axis) entry /= size;
  return axis;
}

Latitude::Direction exact_axis() {
  const auto cvt = test_support::pendulum_cvt();
  return Latitude(cvt.system, std::vector{0.5}).axis(0.0, rotating_speed).direction;
}

/// The least latitude that is met in so many turns from a start on the axis.
double least_latitude(double h, double turns) {
  const auto cvt = test_support::pendulum_cvt();
  const std::vector<double> parameters{0.5};
  Latitude latitude(cvt.system, parameters);
  const auto axis = latitude.axis(0.0, rotating_speed);
  StepMap<double> map(cvt.system, make_method({"driver-splitting"}), parameters);
  const std::vector<double> q{axis.direction[0], axis.direction[1], 0.0},
      v{0.0, axis.direction[2], rotating_speed};
  BasicPoint<double> point = map.start(q, v);
  constexpr std::uint64_t between = 4000;  // tilts take thousands of turns
  const auto samples = static_cast<int>(turns * axis.period / h / static_cast<double>(between));
  double least = std::fabs(latitude.sine(point.q, point.v));
  REQUIRE(least == doctest::Approx(1.0).epsilon(1e-12));
  for (int k = 0; k < samples; ++k) {
    REQUIRE(map.apply(point, h, between));
    std::vector<double> now = point.q;
    now[2] = std::remainder(now[2], 2.0 * std::numbers::pi);
    least = numeric::smaller(least, std::fabs(latitude.sine(now, point.v)));
  }
  return least;
}

}  // namespace

TEST_CASE(
    "Where the driver closes the monodromy of driver-splitting is a rotation near the exact") {
  const Latitude::Direction exact = exact_axis();
  double before = 0.0;
  for (const std::uint64_t steps : {27, 54, 108}) {
    const PassengerTurn turn({"driver-splitting"}, steps);
    const auto p = turn.matrix();
    double off = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        Extended sum(i == j ? -1.0 : 0.0);
        for (std::size_t k = 0; k < 3; ++k) sum = sum + p[k][i] * p[k][j];
        off = numeric::larger(off, std::fabs(static_cast<double>(sum)));
      }
    }
    CHECK(off < 1e-30);  // P^T P = 1 to the round-off of 108 steps
    const Latitude::Direction axis = axis_of(turn);
    double same = 0.0, opposite = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      same += std::pow(axis[i] - exact[i], 2);
      opposite += std::pow(axis[i] + exact[i], 2);
    }
    const double distance = std::sqrt(numeric::smaller(same, opposite)) / (turn.h() * turn.h());
    // Of order h^2 with a limit, next terms h^2 of it.
    CHECK(distance < 1.0);
    if (before > 0.0) CHECK(distance == doctest::Approx(before).epsilon(0.02));
    before = distance;
  }
}

TEST_CASE(
    "A resonance of the step with the turn takes the latitude away, and its neighbours do not") {
  // The exact turn rotates by 0.33880 of a full one: with 7.3388 steps in a turn of the driver, as
  // it is moved, the two lock. Elsewhere what is left is e^(-c/h).
  constexpr double turns = 60000;
  CHECK(least_latitude(0.3610343, turns) < 0.93);
  CHECK(least_latitude(0.361026, turns) > 0.996);
  CHECK(least_latitude(0.361042, turns) > 0.996);
}
