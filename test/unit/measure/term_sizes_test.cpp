#include "dalembert/measure/term_sizes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"

using namespace dalembert;

TEST_CASE("A promise is broken beyond 1e-8 of what is kept and beyond 1e-9 of its terms") {
  CHECK_FALSE(breaks_promise(1e-8, 0.0, 0.0));
  CHECK(breaks_promise(1.1e-8, 0.0, 0.0));
  CHECK_FALSE(breaks_promise(0.9e-5, -1e3, 0.0));
  CHECK(breaks_promise(1.1e-5, -1e3, 0.0));
  CHECK_FALSE(breaks_promise(0.9e-3, 0.0, 1e6));
  CHECK(breaks_promise(1.1e-3, 0.0, 1e6));
  CHECK(breaks_promise(1.1e-8, 0.0, 3.0));
  CHECK(breaks_promise(std::nan(""), 1.0, 1.0));
  CHECK(breaks_promise(0.0, 1.0, std::nan("")));
}

TEST_CASE("The terms of constraints are products with velocities and summands of positions") {
  const System system =
      System::define({.name = "terms", .coordinates = {{"x"}, {"y"}, {"z"}}}, [](const Symbols& s) {
        Mechanics m;
        m.kinetic = (square(s.v[0]) + square(s.v[1]) + square(s.v[2])) / 2.0;
        m.constraints = {s.q[0] * s.v[1] - 3.0 * s.v[0] + s.q[2]};
        m.holonomic = {square(s.q[0]) - s.q[1] + s.q[2] - 7.0};
        return m;
      });
  const Symbols s = system.symbols();
  StateFunction<double> velocities(system, s, constraint_term_sizes(system, s, 0.0)),
      positions(system, s, holonomic_term_sizes(system, s));
  const std::vector<double> q{2, -3, 5}, v{1, -4, 0.5};
  const auto sizes = velocities(0.0, q, v);
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0] == 8.0 + 3.0 + 5.0);
  CHECK(sizes[1] == 4.0 + 4.0 + 0.5);  // the derivative of the one on positions
  CHECK(positions(0.0, q, v)[0] == 4.0 + 3.0 + 5.0 + 7.0);
}
