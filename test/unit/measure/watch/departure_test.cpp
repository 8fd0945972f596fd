#include "dalembert/measure/watch/departure.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <vector>

#include "dalembert/error.hpp"

using namespace dalembert;

namespace {

struct Seen {
  double t, x, y, x_dot, y_dot;
};

/// A particle of mass 1 on a plane with the potential 3 x^2, whose y follows 2 x.
System skating() {
  return System::define({.name = "skating", .coordinates = {{"x"}, {"y"}}}, [](const Symbols& s) {
    Mechanics m;
    m.kinetic = (square(s.v[0]) + square(s.v[1])) / 2.0;
    m.potential = 3.0 * square(s.q[0]);
    m.constraints = {s.v[1] - 2.0 * s.v[0]};
    return m;
  });
}

void show(DepartureWatch& watch, const Seen& seen) {
  watch.see(seen.t, std::vector{seen.x, seen.y}, std::vector{seen.x_dot, seen.y_dot});
}

}  // namespace

TEST_CASE("a constraint that leaves a thousandth of its terms is named with its first time") {
  DepartureWatch watch(skating());
  // The terms are |y_dot| + |2 x_dot| = 4.
  show(watch, {0.0, 0, 0, 1, 2});
  show(watch, {1.0, 0, 0, 1, 2.0039});
  CHECK_FALSE(watch.found().constraints.at(0).is_beyond(DepartureWatch::constraint_allowed));
  show(watch, {2.0, 0, 0, 1, 2.0041});
  show(watch, {3.0, 0, 0, 1, 2.5});
  const Departure found = watch.found().constraints.at(0);
  CHECK(found.is_beyond(DepartureWatch::constraint_allowed));
  CHECK(found.since == 2.0);
  CHECK(found.largest == 0.5);
  CHECK(found.scale == 4.5);
}

TEST_CASE("a constraint of one term is not violated by the round-off of the other velocities") {
  DepartureWatch watch(
      System::define({.name = "rail", .coordinates = {{"x"}, {"y"}}}, [](const Symbols& s) {
        Mechanics m;
        m.kinetic = (square(s.v[0]) + square(s.v[1])) / 2.0;
        m.constraints = {s.v[1]};
        return m;
      }));
  show(watch, {0.0, 0, 0, 1, 6e-16});
  show(watch, {1.0, 0, 0, 1, 9e-13});
  CHECK_FALSE(watch.found().constraints.at(0).since);
  show(watch, {2.0, 0, 0, 1, 2e-12});
  CHECK(watch.found().constraints.at(0).since == 2.0);
}

TEST_CASE("an energy that leaves a tenth of its largest part is named with its first time") {
  DepartureWatch watch(skating());
  // All of it potential, from 3 to 0 and back: a tenth of what it changes by is 0.3.
  show(watch, {0.0, 1, 0, 0, 0});
  show(watch, {1.0, 0, 0, std::sqrt(6.0 / 5), 2 * std::sqrt(6.0 / 5)});
  show(watch, {2.0, std::sqrt(1.09), 0, 0, 0});
  CHECK_FALSE(watch.found().energy.is_beyond(DepartureWatch::energy_allowed));
  show(watch, {3.0, std::sqrt(1.11), 0, 0, 0});
  CHECK(watch.found().energy.is_beyond(DepartureWatch::energy_allowed));
  CHECK(watch.found().energy.since == 3.0);
}

TEST_CASE("what is small beside terms that come later is forgiven") {
  DepartureWatch watch(skating());
  show(watch, {0.0, 0, 0, 1e-9, 2e-9});
  show(watch, {1.0, 0, 0, 1e-9, 3e-9});  // released from rest, a first step of any method
  CHECK(watch.found().constraints.at(0).since == 1.0);
  show(watch, {2.0, 0, 0, 1, 2});
  CHECK_FALSE(watch.found().constraints.at(0).is_beyond(DepartureWatch::constraint_allowed));
}

TEST_CASE("a watch that looks only where it asks for it finds the same times") {
  // An energy that grows and a constraint that opens, both slowly, over terms that oscillate.
  std::vector<Seen> states;
  for (int k = 0; k < 400; ++k) {
    const double t = 0.05 * k, slip = 3e-5 * k, growth = 1.0 + 5e-4 * k;
    states.push_back(
        {t, growth * std::cos(t), 0, growth * std::sin(t), 2 * growth * std::sin(t) + slip});
  }
  const System system = skating();
  DepartureWatch all(system), asked(system);
  const Symbols s = system.symbols();
  StateFunction<double> of_state(
      system, s,
      concatenate({Vector{system.energy(s.q, s.v, s.t)}, system.constraint(s.q, s.v, s.t)}));
  int looks = 0;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const Seen& seen = states[k];
    show(all, seen);
    const auto found =
        of_state(seen.t, std::vector{seen.x, seen.y}, std::vector{seen.x_dot, seen.y_dot});
    if (k % 16 != 0 && !asked.asks(found[0], std::fabs(found[1]))) continue;
    show(asked, seen);
    ++looks;
  }
  REQUIRE(all.found().energy.since);
  REQUIRE(all.found().constraints.at(0).since);
  CHECK(asked.found().energy.since == all.found().energy.since);
  CHECK(asked.found().constraints.at(0).since == all.found().constraints.at(0).since);
  CHECK(looks < 200);
}

TEST_CASE("a watch goes on from what another one has found") {
  DepartureWatch first(skating());
  show(first, {0.0, 1, 0, 0, 0});
  DepartureWatch second(skating(), {}, first.found());
  show(second, {1.0, 2, 0, 0, 0});
  CHECK(second.found().energy_start == 3.0);
  CHECK(second.found().energy.largest == 9.0);
  CHECK(second.found().energy.since == 1.0);
}

TEST_CASE("a moving energy takes the place of the energy") {
  const auto with_integral = [](const char* name) {
    return System::define({.name = "free", .coordinates = {{"x"}}}, [&](const Symbols& s) {
      Mechanics m;
      m.kinetic = square(s.v[0]) / 2.0;
      m.potential = 0.0 * s.q[0];
      m.integrals = {{"momentum", s.v[0]}, {name, square(s.v[0]) / 2.0 - 2.0 * s.v[0]}};
      return m;
    });
  };
  CHECK(DepartureWatch::moving_energy(with_integral("moving_energy")) == 1u);
  CHECK_FALSE(DepartureWatch::moving_energy(with_integral("other")));
  DepartureWatch watch(with_integral("moving_energy"));
  watch.see(0.0, std::vector{0.0}, std::vector{1.0});
  watch.see(1.0, std::vector{0.0}, std::vector{3.0});  // -1.5 both times
  CHECK(watch.found().energy.largest == 0.0);
  CHECK_THROWS_AS(watch.see(0.0, std::vector{0.0, 1.0}, std::vector{1.0}), RequestError);
}

TEST_CASE("the terms of the energy are those so far, with the potential at the first state") {
  DepartureWatch watch(skating());
  CHECK(watch.found().energy_terms() == 0.0);
  show(watch, {0.0, 1, 0, 2, 4});
  CHECK(watch.found().energy_terms() == 3.0 + 10.0);
  show(watch, {1.0, 3, 0, 0, 0});
  CHECK(watch.found().energy_terms() == 3.0 + 24.0);
  show(watch, {2.0, 0, 0, 0, 0});
  CHECK(watch.found().energy_terms() == 3.0 + 24.0);
}

TEST_CASE("constraints on velocities and on positions break a promise beyond their terms") {
  DepartureWatch skate(skating());
  show(skate, {0.0, 0, 0, 1, 2});
  CHECK_FALSE(skate.breaks_constraint());
  show(skate, {1.0, 0, 0, 1, 2 + 2e-8});
  CHECK(skate.breaks_constraint());
  show(skate, {2.0, 0, 0, 1e3, 2e3 + 2e-6});  // terms of 4000 allow 4e-6
  CHECK_FALSE(skate.breaks_constraint());
  show(skate, {3.0, 0, 0, 1, 2 + 2e-6});  // they were so large once
  CHECK_FALSE(skate.breaks_constraint());
  show(skate, {4.0, 0, 0, 1, std::nan("")});
  CHECK(skate.breaks_constraint());

  const auto circle = [](double radius) {
    return System::define({.name = "circle", .coordinates = {{"x"}, {"y"}}}, [&](const Symbols& s) {
      Mechanics m;
      m.kinetic = (square(s.v[0]) + square(s.v[1])) / 2.0;
      m.holonomic = {square(s.q[0]) + square(s.q[1]) - radius * radius};
      return m;
    });
  };
  DepartureWatch unit(circle(1.0)), large(circle(1e4));
  show(unit, {0.0, 1 + 1e-9, 0, 0, 1});
  CHECK_FALSE(unit.breaks_constraint());
  show(unit, {1.0, 1 + 1e-8, 0, 0, 1});
  CHECK(unit.breaks_constraint());
  show(large, {0.0, 1e4 + 5e-6, 0, 0, 1});  // by 0.1, of terms of 2e8
  CHECK_FALSE(large.breaks_constraint());
  show(large, {1.0, 1e4 + 2e-5, 0, 0, 1});
  CHECK(large.breaks_constraint());
}
