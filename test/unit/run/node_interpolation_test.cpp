#include "dalembert/run/node_interpolation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace dalembert;

TEST_CASE("a cubic motion of an angle that turns is interpolated to round-off") {
  const auto angle = [](double t) { return 1.0 + 3.0 * t - t * t + 0.5 * t * t * t; };
  const auto speed = [](double t) { return 3.0 - 2.0 * t + 1.5 * t * t; };
  Point before, after;
  before.t = 1.0;
  after.t = 1.5;
  before.q = {angle(1.0) - 2.0 * M_PI};
  after.q = {angle(1.5) - 2.0 * M_PI};
  before.v = {speed(1.0)};
  after.v = {speed(1.5)};
  before.turns = after.turns = {1.0};
  const std::vector<double> q_before{angle(1.0)}, q_after{angle(1.5)}, first{2.0}, second{4.0};
  NodeInterpolation interpolation;
  interpolation.begin_at(before, q_before, first);
  int shown = 0;
  const auto check = [&](const Sample& sample) {
    ++shown;
    // A few units of round-off of numbers of size 4.
    CHECK(std::fabs(sample.q[0] - angle(1.2)) < 1e-14);
    CHECK(std::fabs(sample.v[0] - speed(1.2)) < 1e-14);
    CHECK(std::fabs(sample.point->q[0] - (angle(1.2) - 2.0 * M_PI)) < 1e-14);
    CHECK(std::fabs(sample.lambda[0] - 2.8) < 1e-14);
    CHECK(sample.t == 1.2);
    return true;
  };
  interpolation.show_at(1.2, {7, after.t, q_after, after.v, second, &after}, check);
  CHECK(shown == 1);
}
