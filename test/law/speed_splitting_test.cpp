// What speed-splitting keeps on one, two and three constraints, and its orders when it is composed.

#include "dalembert/method/splitting/speed_splitting.hpp"

#include <doctest/doctest.h>

#include "dalembert/method/splitting/composition.hpp"
#include "support/driver_witness.hpp"
#include "support/law.hpp"
#include "support/splitting_laws.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double round_off = AuditThresholds<Extended>::exact_below;

const std::vector<std::pair<std::size_t, std::size_t>> shapes{{2, 1}, {3, 1}, {3, 2}, {4, 2},
                                                              {4, 3}, {5, 3}, {6, 3}};

}  // namespace

TEST_CASE("speed-splitting keeps energy, constraints and symmetries for any number of both") {
  std::vector<Witness> witnesses{witness_transmission(), witness_chain(3), witness_coupled()};
  for (const auto& [passengers, constraints] : shapes)
    witnesses.push_back(witness_drivers(passengers, constraints));
  for (const Witness& witness : witnesses) {
    for (const Breach& breach : exactness_breaches(witness, SpeedSplitting{}))
      FAIL_CHECK(witness.system.name(), ": ", breach.property, ", ", breach.detail);
  }
}

TEST_CASE("The map of speed-splitting depends on the constraints' span alone") {
  for (const auto& [passengers, constraints] : shapes) {
    if (constraints < 2) continue;
    const Witness plain = witness_drivers(passengers, constraints);
    const Witness mixed = witness_drivers(passengers, constraints, true);
    CAPTURE(plain.system.name());
    CHECK(largest_difference(after_a_step(plain, SpeedSplitting{}),
                             after_a_step(mixed, SpeedSplitting{})) < round_off);
  }
}

TEST_CASE("Composed, speed-splitting has the orders of the schemes") {
  const auto composed = [](Scheme scheme) {
    return Method(Compose{.base = SpeedSplitting{}, .scheme = scheme});
  };
  check_orders_hold(witness_coupled(),
                    {SpeedSplitting{}, composed(Scheme::triple_jump), composed(Scheme::suzuki_4),
                     composed(Scheme::kahan_li_6), composed(Scheme::kahan_li_8)});
  check_orders_hold(witness_drivers(3, 2), {SpeedSplitting{}, composed(Scheme::suzuki_4)});
  check_orders_hold(witness_drivers(3, 1), {SpeedSplitting{}, composed(Scheme::triple_jump)});
}
