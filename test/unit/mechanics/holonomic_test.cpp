// Constraints on positions, explicit time and what is conserved.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "support/general_witness.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

TextSystem particle() {
  TextSystem text = particle_in_plane("particle");
  text.potential = "y";
  return text;
}

std::string refusal(const TextSystem& text) {
  try {
    static_cast<void>(define(text));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string reasons(const Conservation& found) {
  std::string all;
  for (const std::string& reason : found.reasons) all += reason + "; ";
  return all;
}

}  // namespace

TEST_CASE("The pendulum in Cartesian coordinates: tension and acceleration by hand") {
  TextSystem text = particle();
  text.holonomic = {"(x^2 + y^2 - 1)/2"};
  const System system = define(text);
  CHECK(system.constraint_count() == 1);
  CHECK(system.holonomic_count() == 1);
  CHECK(system.nonholonomic_count() == 0);
  CHECK(system.traits().holonomic);
  CHECK_FALSE(system.traits().nonholonomic);
  CHECK(system.traits().constraints == ConstraintKind::linear);
  Evaluator evaluator(system);
  const double angle = 0.7, rate = 1.3;
  const std::vector<double> q{std::sin(angle), -std::cos(angle)},
      v{rate * std::cos(angle), rate * std::sin(angle)};
  double lambda = 0.0;
  evaluator.multiplier(0.0, q, v, {&lambda, 1});
  // The rod pulls with rate^2 + cos(angle), along -q.
  constexpr double few = round_off_of(9.0, 2.0);  // operations on numbers up to 2
  CHECK(std::fabs(lambda + rate * rate + std::cos(angle)) < few);
  const std::vector<double> a = evaluator.acceleration(0.0, q, v);
  CHECK(std::fabs(a[0] * v[0] / rate + a[1] * v[1] / rate + std::sin(angle)) < few);
  CHECK(evaluator.constraint_error(0.0, q, v) < round_off_of(3.0, 2.0));
}

TEST_CASE("A mass that changes with time: p' = M' v + M v'") {
  TextSystem text = particle();
  text.kinetic = "exp(t)*(x_dot^2 + y_dot^2)/2";
  const System system = define(text);
  CHECK(system.traits().lagrangian == LagrangianKind::general);
  CHECK(system.traits().time_dependent);
  Evaluator evaluator(system);
  const std::vector<double> a =
      evaluator.acceleration(0.5, std::vector<double>{0, 0}, std::vector<double>{2, 3});
  // Six operations on numbers up to 5, exp(0.5) times 3.
  CHECK(std::fabs(a[0] + 2.0) < round_off_of(6.0, 5.0));
  CHECK(std::fabs(a[1] + 3.0 + std::exp(-0.5)) < round_off_of(6.0, 5.0));
}

TEST_CASE("Constraints on positions that make no sense are refused") {
  TextSystem text = particle();
  text.holonomic = {"x + y_dot"};
  CHECK(has(refusal(text), "holonomic constraint 1 (x + y_dot) contains a velocity"));
  text.holonomic = {"x - x"};
  CHECK(has(refusal(text), "identically zero"));
  text.holonomic = {"sin(t)"};
  CHECK(has(refusal(text), "contains no coordinate"));
}

TEST_CASE("What is conserved, and why") {
  const auto energy_of = [](const TextSystem& text) { return conservation(define(text)); };
  TextSystem text = particle();
  CHECK(energy_of(text).keeps_energy());
  text.force = {"-y_dot", "x_dot"};  // gyroscopic: no work
  CHECK(energy_of(text).keeps_energy());
  CHECK(has(reasons(energy_of(text)), "external forces do no work"));
  text.force = {"-0.1*x_dot", "0"};
  CHECK_FALSE(energy_of(text).keeps_energy());
  CHECK(has(reasons(energy_of(text)), "external forces do work"));
  text.force = {};
  text.constraints = {"x_dot - (1 + y^2)*y_dot"};
  CHECK(energy_of(text).keeps_energy());
  text.constraints = {"x_dot - (1 + y^2)*y_dot - 1"};
  CHECK_FALSE(energy_of(text).keeps_energy());
  CHECK(has(reasons(energy_of(text)), "affine and not linear"));
  text.constraints = {"x_dot^2 - (2 + y^2)*y_dot^2"};
  CHECK(energy_of(text).keeps_energy());
  CHECK(has(reasons(energy_of(text)), "homogeneous"));
  text.constraints = {"x_dot^2 + y_dot^2 - 1"};
  CHECK_FALSE(energy_of(text).keeps_energy());
  text.constraints = {"cos(t)*x_dot + sin(t)*y_dot"};
  CHECK(energy_of(text).keeps_energy());
  text.constraints = {};
  text.holonomic = {"y - sin(t)"};
  CHECK_FALSE(energy_of(text).keeps_energy());
  CHECK(has(reasons(energy_of(text)), "holonomic constraint 1 does work"));
  text.holonomic = {};
  text.potential = "y*cos(t)";
  CHECK(has(reasons(energy_of(text)), "depends on time"));
}
