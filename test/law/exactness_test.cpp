// What the facts of a method promise to round-off, over all methods and suitable witnesses.

#include <doctest/doctest.h>

#include <string>
#include <vector>

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

std::vector<MethodSpec> variants_for(const Witness& witness) {
  std::vector<MethodSpec> specs =
      method_variants(witness.large ? Variants::defaults : Variants::each_option);
  std::erase_if(specs, [&](const MethodSpec& spec) { return !fits(spec, witness); });
  return specs;
}

void check_all(const Witness& witness) {
  const std::vector<MethodSpec> specs = variants_for(witness);
  CHECK(!specs.empty());
  for (const MethodSpec& spec : specs) check_method(witness, spec);
}

}  // namespace

TEST_CASE("Constant coupled mass: symmetry, reversibility, constraint, energy") {
  check_all(witness_constant_mass());
}
TEST_CASE("Configuration-dependent mass: symmetry, reversibility, constraint, energy") {
  check_all(witness_coupled_mass());
}
TEST_CASE("Two constraints: symmetry, reversibility, constraint, energy") {
  check_all(witness_two_constraints());
}
TEST_CASE("General Lagrangian, affine constraint: symmetry, constraint, energy") {
  check_all(witness_general());
}
TEST_CASE("Coupled system: what drivers feel of passengers, and the energies of both") {
  check_all(witness_coupled());
}
TEST_CASE("Without constraints: symplecticity for constant mass") {
  check_all(witness_free_constant_mass());
}
TEST_CASE("Without constraints: symplecticity for configuration-dependent mass") {
  check_all(witness_free());
}
TEST_CASE("Without constraints: symplecticity for a general Lagrangian") {
  check_all(witness_free_general());
}
TEST_CASE("Every method is measured on one of these witnesses") {
  MeasuredMethods measured;
  for (const Witness& witness :
       {witness_constant_mass(), witness_coupled_mass(), witness_two_constraints(),
        witness_general(), witness_coupled(), witness_free_constant_mass(), witness_free(),
        witness_free_general()}) {
    for (const MethodSpec& spec : variants_for(witness)) measured.add(spec);
  }
  measured.check({});
}
