#include "dalembert/measure/watch/rank_watch.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "dalembert/error.hpp"

using namespace dalembert;

namespace {

/// Two points on lines whose velocities are coupled, by a factor that is zero at x = 0.
System coupled(const std::string& name, Expr (*factor)(const Expr&)) {
  return System::define({.name = name, .coordinates = {{"x"}, {"y"}, {"z"}}},
                        [factor](const Symbols& s) {
                          Mechanics m;
                          m.kinetic = (square(s.v[0]) + square(s.v[1]) + square(s.v[2])) / 2.0;
                          m.potential = 0.0 * s.q[0];
                          const Expr f = factor(s.q[0]);
                          m.constraints = {f * s.v[1] - f * f * s.v[2]};
                          return m;
                        });
}

/// The mass of y is x, positive and then negative.
System falling_mass() {
  return System::define({.name = "falling-mass", .coordinates = {{"x"}, {"y"}}},
                        [](const Symbols& s) {
                          Mechanics m;
                          m.kinetic = (square(s.v[0]) + s.q[0] * square(s.v[1])) / 2.0;
                          m.potential = 0.0 * s.q[0];
                          return m;
                        });
}

/// Along x = 1 - t.
RankWatch watched(const System& system, double step, double end, bool with_mass = true) {
  RankWatch watch(system);
  for (int k = 0; k * step <= end; ++k) {
    const double t = k * step;
    std::vector<double> q(system.storage_count(), 0.5), v(system.dof(), 0.0);
    q[0] = 1.0 - t;
    watch.see(t, q, v, with_mass || k % 10 == 0);
  }
  return watch;
}

}  // namespace

TEST_CASE("constraints that become dependent are noticed, on the way through or at the place") {
  const System linear = coupled("linear", [](const Expr& x) { return x; });
  // Through zero between two steps, in the first step after t = 1; exactly at zero.
  for (const double step : {0.15, 0.03, 1.0 / 16}) {
    const RankWatch watch = watched(linear, step, 2.0);
    REQUIRE(watch.dependent_constraints());
    CHECK(*watch.dependent_constraints() >= 1.0);
    CHECK(*watch.dependent_constraints() <= 1.0 + step);
    CHECK_FALSE(watch.singular_mass());
  }
  CHECK_FALSE(watched(linear, 0.03, 0.99).dependent_constraints());
  // The rows do not change their direction, but vanish.
  const System touching = coupled("touching", [](const Expr& x) { return x * x; });
  CHECK(watched(touching, 1.0 / 16, 2.0).dependent_constraints() == 1.0);
}

TEST_CASE("a mass that becomes singular is noticed, also between rare looks") {
  const System system = falling_mass();
  CHECK_FALSE(watched(system, 0.03, 0.99).singular_mass());
  const RankWatch watch = watched(system, 0.03, 2.0), rare = watched(system, 0.03, 2.0, false);
  REQUIRE(watch.singular_mass());
  CHECK(std::fabs(*watch.singular_mass() - 1.0) <= 0.03);
  REQUIRE(rare.singular_mass());
  CHECK(*rare.singular_mass() == 40 * 0.03);  // the first tenth look after t = 1
  CHECK_FALSE(rare.dependent_constraints());
}

TEST_CASE("a blade that turns fast is no loss of rank") {
  const System blade = System::define(
      {.name = "blade", .coordinates = {{"x"}, {"y"}, {"phi"}}}, [](const Symbols& s) {
        Mechanics m;
        m.kinetic = (square(s.v[0]) + square(s.v[1]) + square(s.v[2])) / 2.0;
        m.potential = 0.0 * s.q[0];
        m.constraints = {sin(s.q[2]) * s.v[0] - cos(s.q[2]) * s.v[1]};
        return m;
      });
  RankWatch watch(blade);
  for (int k = 0; k < 100; ++k) {
    // Two radians from look to look: the direction does turn to its opposite.
    const std::array<double, 3> q{0.0, 0.0, 2.0 * k}, v{1.0, 1.0, 1.0};
    watch.see(k, q, v);
  }
  CHECK_FALSE(watch.dependent_constraints());
  CHECK_FALSE(watch.singular_mass());
}

TEST_CASE("sizes are checked") {
  RankWatch watch(falling_mass());
  const std::vector<double> one{1.0}, two{1.0, 1.0};
  CHECK_THROWS_AS(watch.see(0.0, one, two), RequestError);
}

TEST_CASE("constraints that are solved for velocities of their own cannot lose rank") {
  const auto with = [](auto rows) {
    return System::define({.name = "rows", .coordinates = {{"x"}, {"y"}, {"z"}}},
                          [rows](const Symbols& s) {
                            Mechanics m;
                            m.kinetic = (square(s.v[0]) + square(s.v[1]) + square(s.v[2])) / 2.0;
                            m.potential = 0.0 * s.q[0];
                            m.constraints = rows(s);
                            return m;
                          });
  };
  using Rows = Vector (*)(const Symbols&);
  // Rolling: each velocity follows from others.
  const Rows solved = [](const Symbols& s) {
    return Vector{s.v[0] + sin(s.q[2]) * s.v[2], s.v[1] + s.q[0] * s.v[0] - cos(s.q[2]) * s.v[2]};
  };
  const Rows blade = [](const Symbols& s) {
    return Vector{sin(s.q[2]) * s.v[0] - cos(s.q[2]) * s.v[1]};
  };
  // Each has a constant entry, in the same column; at x = 0 they are one.
  const Rows parallel = [](const Symbols& s) {
    return Vector{s.v[0] + s.q[0] * s.v[1], s.v[0] + s.q[0] * s.v[2]};
  };
  CHECK_FALSE(RankWatch(with(solved)).sees_constraints());
  CHECK(RankWatch(with(blade)).sees_constraints());
  CHECK(RankWatch(with(parallel)).sees_constraints());
}
