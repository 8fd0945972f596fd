// What the facts of a method promise to round-off, over all methods and suitable witnesses.

#include <doctest/doctest.h>

#include <string>

#include "support/law.hpp"
#include "support/measured_methods.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

void check_method(const Witness& witness, const MethodSpec& spec) {
  const std::string which = witness.system.name() + ", " + label(spec);
  try {
    for (const Breach& breach : exactness_breaches(witness, make_method(spec)))
      FAIL_CHECK(which, ": ", breach.property, ", ", breach.detail);
  } catch (const std::exception& error) {
    FAIL_CHECK(which, ": ", std::string(error.what()));
  }
}

/// All variants that fit the witness: of every method but those that `refuse` it.
void check_all(const Witness& witness, const MethodNames& refuse) {
  MeasuredMethods measured;
  for (const MethodSpec& spec :
       method_variants(witness.large ? Variants::defaults : Variants::each_option)) {
    if (!fits(spec, witness)) continue;
    measured.add(spec);
    check_method(witness, spec);
  }
  measured.check(refuse);
}

}  // namespace

TEST_CASE("Constant coupled mass: symmetry, reversibility, constraint, energy") {
  check_all(witness_constant_mass(), of_free_systems + of_coupled_systems);
}
TEST_CASE("Configuration-dependent mass: symmetry, reversibility, constraint, energy") {
  check_all(witness_coupled_mass(), of_free_systems + of_coupled_systems + of_constant_mass);
}
TEST_CASE("Two constraints: symmetry, reversibility, constraint, energy") {
  check_all(witness_two_constraints(), of_free_systems + of_coupled_systems + of_constant_mass);
}
TEST_CASE("General Lagrangian, affine constraint: symmetry, constraint, energy") {
  check_all(witness_general(),
            of_free_systems + of_coupled_systems + of_constant_mass + of_mechanical_systems);
}
TEST_CASE("Coupled system: what drivers feel of passengers, and the energies of both") {
  check_all(witness_coupled(), of_free_systems);
}
TEST_CASE("Without constraints: symplecticity for constant mass") {
  check_all(witness_free_constant_mass(), of_coupled_systems);
}
TEST_CASE("Without constraints: symplecticity for configuration-dependent mass") {
  check_all(witness_free(), of_coupled_systems + of_constant_mass + MethodNames{"shake"});
}
TEST_CASE("Without constraints: symplecticity for a general Lagrangian") {
  check_all(witness_free_general(),
            of_coupled_systems + of_constant_mass + of_mechanical_systems + MethodNames{"shake"});
}
