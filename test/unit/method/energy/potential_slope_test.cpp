// Discrete gradients of a potential on groups.
#include "method/energy/potential_slope.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "support/group_systems.hpp"

using namespace dalembert;
using namespace test_support;

TEST_CASE("Along a step on a group a discrete gradient makes the change of the potential") {
  const System top = System::define(
      {.name = "top", .coordinates = {{"R", false, "SO(3)"}, {"x"}}}, [](const Symbols& s) {
        Mechanics m;
        m.kinetic = (square(s.v[0]) + square(s.v[1]) + square(s.v[2]) + square(s.v[3])) / 2.0;
        const Matrix& r = s.element("R").matrix;
        m.potential = r(2, 2) + r(0, 1) * s.q[4] / 2.0 + pow(s.q[4], 4.0) / 4.0;
        return m;
      });
  const Symbols s = top.symbols();
  const std::vector<double> place = joined(quaternion(0.3, -0.2, 0.5), {0.7});
  for (const Retraction map : {Retraction::cayley, Retraction::exponential}) {
    for (const GradientKind kind : {GradientKind::mean_value, GradientKind::gonzalez}) {
      const Segment along = segment(top, map, s.q, s.v);
      const Vector slope = potential_slope(top, kind, along, s.t);
      const Vector change{top.potential(along.to, s.t) - top.potential(along.from, s.t)};
      StateFunction<double> function(
          top, s,
          concatenate({{dot(slope, s.v)}, change, slope, top.potential_gradient(s.q, s.t)}));
      const auto far = function(0.0, place, std::vector<double>{0.4, -0.7, 0.9, 0.6});
      // Some hundred operations on numbers of size one, and quadrature to double's round-off.
      CHECK(std::fabs(far[0] - far[1]) < 1e-14);
      CHECK(std::fabs(far[1]) > 0.1);
      const auto near = function(0.0, place, std::vector<double>(4, 0.0));
      for (std::size_t i = 0; i < 4; ++i) CHECK(std::fabs(near[2 + i] - near[6 + i]) < 1e-14);
    }
  }
}
