// What the facts of a method promise to round-off, over all methods and suitable witnesses.

#include <doctest/doctest.h>

#include "support/law.hpp"
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

/// All variants that fit the witness, of which there are so many: who adds a method or an option
/// counts it here.
void check_all(const Witness& witness, int expected) {
  int measured = 0;
  for (const MethodSpec& spec :
       method_variants(witness.large ? Variants::defaults : Variants::each_option)) {
    if (!fits(spec, witness)) continue;
    ++measured;
    check_method(witness, spec);
  }
  CHECK(measured == expected);
}

}  // namespace

TEST_CASE("Constant coupled mass: symmetry, reversibility, constraint, energy") {
  check_all(witness_constant_mass(), 154);
}
TEST_CASE("Configuration-dependent mass: symmetry, reversibility, constraint, energy") {
  check_all(witness_coupled_mass(), 145);
}
TEST_CASE("Two constraints: symmetry, reversibility, constraint, energy") {
  check_all(witness_two_constraints(), 23);
}
TEST_CASE("General Lagrangian, affine constraint: symmetry, constraint, energy") {
  check_all(witness_general(), 96);
}
TEST_CASE("Coupled system: what drivers feel of passengers, and the energies of both") {
  check_all(witness_coupled(), 158);
}
TEST_CASE("Without constraints: symplecticity for constant mass") {
  check_all(witness_free_constant_mass(), 159);
}
TEST_CASE("Without constraints: symplecticity for configuration-dependent mass") {
  check_all(witness_free(), 149);
}
TEST_CASE("Without constraints: symplecticity for a general Lagrangian") {
  check_all(witness_free_general(), 108);
}
