// What methods promise to round-off, on general systems.
// Also under the sanitizers of tool/check proof.

#include <doctest/doctest.h>

#include "support/general_witness.hpp"
#include "support/law.hpp"
#include "support/measured_methods.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

void check_all_general(const Witness& witness, const MethodNames& refuse) {
  MeasuredMethods measured;
  for (const MethodSpec& spec : method_variants(Variants::defaults)) {
    const Method method = make_method(spec);
    if (!fits(spec, witness)) continue;
    measured.add(spec);
    CAPTURE(label(spec));
    for (const Breach& breach : exactness_breaches(witness, method))
      FAIL_CHECK(witness.system.name(), ", ", label(spec), ": ", breach.property, ", ",
                 breach.detail);
  }
  measured.check(refuse);
}

}  // namespace

TEST_CASE("Nonlinear constraint: symmetry and constraint") {
  check_all_general(witness_nonlinear(), of_free_systems + of_coupled_systems +
                                             of_mechanical_systems + of_constant_mass +
                                             of_linear_constraints);
}
TEST_CASE("Forces and explicit time: symmetry and constraint") {
  check_all_general(witness_forced_time(), of_free_systems + of_coupled_systems +
                                               of_mechanical_systems + of_constant_mass +
                                               MethodNames{"gni", "herglotz", "velocity-dla"});
}
TEST_CASE("Forces and explicit time with constant mass: symmetry and constraint") {
  check_all_general(witness_forced_time_constant_mass(),
                    of_free_systems + of_coupled_systems + of_mechanical_systems +
                        MethodNames{"herglotz", "velocity-dla"});
}
TEST_CASE("Explicit time with constant mass, no force: symmetry and constraint") {
  check_all_general(witness_timed_constant_mass(), of_free_systems + of_coupled_systems +
                                                       of_mechanical_systems +
                                                       MethodNames{"herglotz", "velocity-dla"});
}
TEST_CASE("The leap-frog that begins with a drift, with explicit time, with and without forces") {
  const Method method = make_method({"leapfrog", {{"first", std::string("drift")}}});
  for (const Witness& witness :
       {witness_forced_time_constant_mass(), witness_timed_constant_mass()}) {
    for (const Breach& breach : exactness_breaches(witness, method))
      FAIL_CHECK(witness.system.name(), ": ", breach.property, ", ", breach.detail);
  }
}
TEST_CASE("Constraints on positions and velocities: symmetry, reversibility, constraints") {
  check_all_general(witness_holonomic(), of_free_systems + of_coupled_systems +
                                             of_mechanical_systems + of_constant_mass +
                                             of_linear_constraints +
                                             MethodNames{"generalized-alpha"});
}
TEST_CASE("Constraint on positions: symmetry, reversibility, constraint") {
  check_all_general(witness_surface(), of_coupled_systems + of_mechanical_systems +
                                           of_linear_constraints +
                                           MethodNames{"generalized-alpha", "moser-veselov"});
}
TEST_CASE("Projected baselines keep constraints on positions") {
  for (const char* name : {"runge-kutta-4", "gauss", "radau-iia"}) {
    for (const Witness& witness : {witness_surface(), witness_moving_surface()}) {
      const Method method = make_method({name, {{"projection", std::string("position-velocity")}}});
      for (const Breach& breach : exactness_breaches(witness, method))
        FAIL_CHECK(witness.system.name(), ", ", name, ": ", breach.property, ", ", breach.detail);
    }
  }
}
TEST_CASE("Moving constraint on positions: symmetry, constraint") {
  check_all_general(witness_moving_surface(),
                    of_coupled_systems + of_mechanical_systems + of_linear_constraints +
                        MethodNames{"generalized-alpha", "moser-veselov"});
}
