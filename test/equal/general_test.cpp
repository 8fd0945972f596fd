// Methods that coincide on systems with constraints on positions, without constraints, and in two
// forms.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/library.hpp"
#include "study/extended.hpp"
#include "support/general_witness.hpp"

using namespace dalembert;
using dalembert::study::Extended;
using namespace test_support;

namespace {

/// Equal to round-off of quadruple precision over eight steps of implicit solves; multipliers of
/// constraints on positions lose a factor of 1/h^2.
constexpr double equal = 1e-28, equal_multiplier = 1e-26;
constexpr double different = 1e-8;

Method method(const std::string& name, const std::map<std::string, OptionValue>& options = {}) {
  return make_method({name, options});
}

struct Difference {
  double q, v, lambda;
};

Difference difference(const Witness& witness, const Method& one, const Method& two) {
  BasicPoint<Extended> end[2];
  const Method* methods[] = {&one, &two};
  for (int i = 0; i < 2; ++i) {
    StepMap<Extended> map(witness.system, *methods[i], witness.system.default_parameters());
    end[i] = map.start(witness.q, witness.v);
    REQUIRE(map.apply(end[i], Extended(1) / 16, 8));
  }
  return {largest_difference(end[0].q, end[1].q), largest_difference(end[0].v, end[1].v),
          largest_difference(end[0].lambda, end[1].lambda)};
}

void check_equal(const Witness& witness, const Method& one, const Method& two) {
  CAPTURE(witness.system.name());
  const Difference found = difference(witness, one, two);
  CHECK(found.q < equal);
  CHECK(found.v < equal);
  CHECK(found.lambda < equal_multiplier);
}

/// A potential and a constant coupled mass, no constraint.
Witness free_of_constraints() {
  TextSystem text;
  text.name = "free-of-constraints";
  text.coordinates = {"x", "y"};
  text.kinetic = "(2*x_dot^2 + 1.5*y_dot^2 + 0.6*x_dot*y_dot)/2";
  text.potential = "(x^2 + 1.3*y^2)/2 + x^2*y - y^3/3";
  return {define(text), {0.3, -0.2}, {0.4, 0.1}};
}

}  // namespace

TEST_CASE("The Hamiltonian form of lobatto is the Lagrangian one") {
  for (const int stages : {2, 3, 4}) {
    const double s = stages;
    for (const Witness& witness :
         {witness_constant_mass(), witness_coupled_mass(), witness_nonlinear(), witness_holonomic(),
          witness_forced_time()}) {
      check_equal(witness, method("lobatto", {{"stages", s}}),
                  method("lobatto", {{"stages", s}, {"form", "hamiltonian"}}));
    }
  }
  const auto refusal =
      method("lobatto", {{"form", "hamiltonian"}}).misfit(witness_general().system);
  REQUIRE(refusal.has_value());
  CHECK(refusal->find("not quadratic in the velocities") != std::string::npos);
}

TEST_CASE(
    "With constraints on positions leapfrog, lobatto, spark and the variational method are "
    "RATTLE") {
  for (const Witness& witness : {witness_surface(), witness_moving_surface()}) {
    const Method rattle = method("rattle");
    check_equal(witness, rattle, method("lobatto", {{"stages", 2.0}}));
    check_equal(witness, rattle, method("variational-runge-kutta"));
    for (const int stages : {3, 4}) {
      const double s = stages;
      const Method variational = method("variational-runge-kutta", {{"stages", s}});
      check_equal(witness, variational, method("lobatto", {{"stages", s}}));
      check_equal(witness, variational, method("spark", {{"stages", s}}));
    }
  }
}

TEST_CASE("SHAKE has the positions and projected velocities of RATTLE") {
  for (const Witness& witness : {witness_surface(), witness_moving_surface()}) {
    const Difference found = difference(witness, method("shake"), method("rattle"));
    CHECK(found.q < equal);
    CHECK(found.v < equal);
    // Its multiplier is that of the node before, where it is the mean of the two of RATTLE.
    CHECK(found.lambda > different);
  }
}

TEST_CASE("Without constraints the methods are Stormer-Verlet") {
  const Witness witness = free_of_constraints();
  const Method verlet = method("leapfrog");
  check_equal(witness, verlet, method("lobatto", {{"stages", 2.0}}));
  check_equal(witness, verlet, method("spark", {{"stages", 2.0}}));
  check_equal(witness, verlet, method("variational-runge-kutta"));
  CHECK(difference(witness, verlet, method("dla01")).q > different);
}

TEST_CASE("The variational method with Gauss nodes is Gauss collocation") {
  for (const int stages : {1, 2, 3}) {
    check_equal(free_of_constraints(),
                method("variational-runge-kutta", {{"stages", double(stages)}, {"nodes", "gauss"}}),
                method("gauss", {{"stages", double(stages)}}));
  }
}

TEST_CASE("leapfrog is lobatto with two stages on affine, time-dependent and forced systems") {
  check_equal(witness_forced_time_constant_mass(), method("leapfrog"),
              method("lobatto", {{"stages", 2.0}, {"multiplier", "carried"}}));
}
