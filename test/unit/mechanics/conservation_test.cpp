#include "dalembert/mechanics/conservation.hpp"

#include <doctest/doctest.h>

#include <string>

#include "dalembert/expression/pieces.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

TextSystem spring_particle() {
  TextSystem text = particle_in_space("particle");
  text.potential = "(x^2 + y^2)/2";
  return text;
}

std::string joined_reasons(const Conservation& found) {
  std::string text;
  for (const std::string& reason : found.reasons) text += reason + "; ";
  return text;
}

using Kept = Conservation::Kept;

void check_energy(const TextSystem& text, Kept kept, const std::string& reason) {
  const Conservation found = conservation(define(text));
  CHECK(found.energy == kept);
  CHECK_MESSAGE(joined_reasons(found).find(reason) != std::string::npos, joined_reasons(found));
}

System with_integrals() {
  return System::define({.name = "central", .coordinates = {{"x"}, {"y"}}}, [](const Symbols& s) {
    Mechanics m;
    m.kinetic = dot(s.v, s.v) / 2.0;
    m.potential = dot(s.q, s.q) / 2.0;
    m.integrals = {{"angular_momentum", s.q[0] * s.v[1] - s.q[1] * s.v[0]},
                   {"momentum", s.v[0] + s.v[1]}};
    return m;
  });
}

}  // namespace

TEST_CASE("energy is kept by constraints that do no work") {
  TextSystem text = spring_particle();
  check_energy(text, Kept::yes, "there are no constraints");
  text.constraints = {"z_dot - y*x_dot"};
  check_energy(text, Kept::yes, "linear in the velocities");
  text.constraints = {"z_dot^2 - 2*(x_dot^2 + y_dot^2)"};
  check_energy(text, Kept::yes, "homogeneous");
  text.constraints = {};
  text.holonomic = {"x^2 + y^2 + z^2 - 1"};
  check_energy(text, Kept::yes, "constraints on positions");
}

TEST_CASE("what takes or gives energy is named") {
  TextSystem text = spring_particle();
  text.constraints = {"z_dot - y*x_dot - 1"};
  check_energy(text, Kept::no, "constraint 1 does work, because it is affine and not linear");
  text.constraints = {"x_dot^2 + y_dot^2 + z_dot^2 - 4"};
  check_energy(text, Kept::no, "not homogeneous");
  text.constraints = {};
  text.force = {"-x_dot", "0", "0"};
  check_energy(text, Kept::no, "external forces do work");
  text.force = {"-y_dot", "x_dot", "0"};  // across the velocity
  check_energy(text, Kept::yes, "do no work");
  text.force = {};
  text.potential = "t*x";
  check_energy(text, Kept::no, "depends on time");
}

TEST_CASE("of forces that may act elsewhere or later nothing is known") {
  TextSystem text = spring_particle();
  const auto with_force = [&](const std::string& force) {
    text.force = {force, "0", "0"};
    return conservation(define(text));
  };
  for (const char* force :
       {"piecewise(1, 5 < t, 0)", "piecewise(1, 5 < t < 6, 0)", "-max(0, x - 30)*x_dot",
        "-(1 + tanh(50*(x - 30)))*x_dot", "-exp(-(x - 40)^2)*x_dot", "exp(-(t - 60)^2)"}) {
    CAPTURE(force);
    const Conservation found = with_force(force);
    CHECK(found.energy == Kept::unknown);
    CHECK(joined_reasons(found) ==
          "external forces do no work near the start, but may do so elsewhere or later; ");
  }
  // They act where they were looked at.
  for (const char* force : {"-sign(x_dot)", "max(0, x)", "piecewise(1, t < 50, 0)", "-1e-6*x_dot"})
    CHECK_MESSAGE(with_force(force).energy == Kept::no, force);
  CHECK(with_force("0").energy == Kept::yes);
  // Beside a force that does no work, one that acts elsewhere.
  text.force = {"y_dot - max(0, x - 30)*x_dot", "-x_dot", "0"};
  CHECK(conservation(define(text)).energy == Kept::unknown);
  text.force = {"(y_dot - (1 + tanh(50*(x - 30)))*x_dot)*cos(z)", "-x_dot*cos(z)", "0"};
  CHECK(conservation(define(text)).energy == Kept::unknown);
  text.force = {"y_dot*cos(z)", "-x_dot*cos(z)", "0"};
  CHECK(conservation(define(text)).energy == Kept::yes);
}

TEST_CASE("of a potential that changes at a time nothing is known") {
  TextSystem text = spring_particle();
  text.potential = "x^2/2 + piecewise(1, 5 < t, 0)*y";
  check_energy(text, Kept::unknown, "pieces that begin or end at a time");
}

TEST_CASE("of reactions that may do work elsewhere or later nothing is known") {
  TextSystem text = spring_particle();
  text.constraints = {"z_dot - y*x_dot - piecewise(1, 5 < t, 0)"};
  check_energy(text, Kept::unknown, "may do so elsewhere or later");
  text.constraints = {"z_dot - y*x_dot - (1 + tanh(50*(x - 30)))"};
  check_energy(text, Kept::unknown, "may do so elsewhere or later");
  text.constraints = {"z_dot - abs(y)*x_dot"};  // linear on both sides
  check_energy(text, Kept::yes, "linear in the velocities");
  text.constraints = {"z_dot^2 - 2*(x_dot^2 + y_dot^2) - max(0, x - 30)"};
  check_energy(text, Kept::unknown, "may do so elsewhere or later");
}

TEST_CASE("what parameters switch off does not count") {
  const System system = System::define(
      {.name = "car", .coordinates = {{"x"}, {"y"}}, .parameters = {{"drag", 0.0}, {"swing", 0.0}}},
      [](const Symbols& s) {
        Mechanics m;
        m.kinetic = dot(s.v, s.v) / 2.0;
        m.potential = square(s.q[0]) * (1.0 + s["swing"] * sin(s.t));
        m.force = {-s["drag"] * s.v[0], Expr(0.0)};
        m.integrals = {{"momentum", s.v[1]}};
        return m;
      });
  CHECK(conservation(system).energy == Kept::yes);
  const std::vector<double> drag{0.1, 0.0}, swing{0.0, 0.1};
  CHECK(conservation(system, {}, {}, drag).energy == Kept::no);
  CHECK(conservation(system, {}, {}, swing).energy == Kept::no);
  CHECK(conservation(system, {}, {}, drag).integrals.at(0).kept == Kept::yes);
}

TEST_CASE("an integral that a force may change elsewhere is in doubt") {
  const auto with_force = [](bool gated) {
    return System::define({.name = "gate", .coordinates = {{"x"}, {"y"}}}, [=](const Symbols& s) {
      Mechanics m;
      m.kinetic = dot(s.v, s.v) / 2.0;
      const Expr force = gated ? max(Expr(0.0), s.q[0] - 30.0) : -s.v[0];
      m.force = {force, Expr(0.0)};
      m.integrals = {{"momentum_x", s.v[0]}, {"momentum_y", s.v[1]}};
      return m;
    });
  };
  const Conservation gated = conservation(with_force(true)),
                     acting = conservation(with_force(false));
  CHECK(gated.integrals.at(0).kept == Kept::unknown);
  CHECK(acting.integrals.at(0).kept == Kept::no);
  CHECK(acting.integrals.at(1).kept == Kept::yes);
}

TEST_CASE("declared integrals are tested along the motion") {
  const Conservation found = conservation(with_integrals());
  REQUIRE(found.integrals.size() == 2);
  CHECK(found.integrals[0].kept == Kept::yes);
  CHECK(found.integrals[1].kept == Kept::no);
  CHECK(found.integrals[1].rate > 0.1);  // of size one, as states and forces are
  CHECK(found.states == 8);
}

TEST_CASE("states are looked for where one is told to") {
  // Near the origin the velocity cannot be turned into one of speed 100.
  TextSystem text = spring_particle();
  text.constraints = {"x_dot^2 + y_dot^2 + z_dot^2 - 10000"};
  const std::vector<double> q{1.0, 0.0, 0.0}, v{100.0, 0.0, 0.0};
  CHECK(conservation(define(text), q, v).states == 8);
}
