#pragma once
// A ball that falls on a floor.

#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/text_system.hpp"

namespace test_support {

using namespace dalembert;

/// x'' = -1: motions between impacts are parabolas, which lobatto follows to round-off.
inline System ball() {
  return define({.name = "ball", .coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x"});
}

inline Expr first_coordinate(const Symbols& s) { return s.q[0]; }

inline Event floor_with(double restitution) {
  return {.name = "floor",
          .function = first_coordinate,
          .direction = Direction::falling,
          .impact = [restitution](const Symbols& s) {
            return std::vector<ContactVelocity>{{s.v[0], restitution}};
          }};
}

inline StartChoice from(double x, double v) { return {{x}, {v}}; }

}  // namespace test_support
