#include "dalembert/mechanics/conservation.hpp"

#include <doctest/doctest.h>

#include <string>

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

void check_energy(const TextSystem& text, bool kept, const std::string& reason) {
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
  check_energy(text, true, "there are no constraints");
  text.constraints = {"z_dot - y*x_dot"};
  check_energy(text, true, "linear in the velocities");
  text.constraints = {"z_dot^2 - 2*(x_dot^2 + y_dot^2)"};
  check_energy(text, true, "homogeneous");
  text.constraints = {};
  text.holonomic = {"x^2 + y^2 + z^2 - 1"};
  check_energy(text, true, "constraints on positions");
}

TEST_CASE("what takes or gives energy is named") {
  TextSystem text = spring_particle();
  text.constraints = {"z_dot - y*x_dot - 1"};
  check_energy(text, false, "constraint 1 does work, because it is affine and not linear");
  text.constraints = {"x_dot^2 + y_dot^2 + z_dot^2 - 4"};
  check_energy(text, false, "not homogeneous");
  text.constraints = {};
  text.force = {"-x_dot", "0", "0"};
  check_energy(text, false, "external forces do work");
  text.force = {"-y_dot", "x_dot", "0"};  // across the velocity
  check_energy(text, true, "do no work");
  text.force = {};
  text.potential = "t*x";
  check_energy(text, false, "depends on time");
}

TEST_CASE("declared integrals are tested along the motion") {
  const Conservation found = conservation(with_integrals());
  REQUIRE(found.integrals.size() == 2);
  CHECK(found.integrals[0].kept);
  CHECK_FALSE(found.integrals[1].kept);
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
