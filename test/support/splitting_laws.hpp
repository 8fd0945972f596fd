#pragma once
// What the laws of splittings share.

#include <doctest/doctest.h>

#include <vector>

#include "support/law.hpp"

namespace test_support {

/// The new state after one step of 1/8.
inline std::vector<Extended> after_a_step(const Witness& witness, const dalembert::Method& method) {
  dalembert::StepMap<Extended> map(witness.system, method, {});
  auto point = map.start(witness.q, witness.v);
  REQUIRE(map.apply(point, Extended(1) / 8));
  return dalembert::coordinates_of(point, false);
}

/// The orders of several methods on one witness are exactly those promised.
inline void check_orders_hold(const Witness& witness,
                              const std::vector<dalembert::Method>& methods) {
  const Orders bench(witness);
  for (const dalembert::Method& method : methods) {
    const std::vector<MeasuredOrder> orders = bench.of(method);
    CHECK(orders.size() == 3);
    for (const MeasuredOrder& order : orders) {
      CHECK_MESSAGE(order.verdict() == dalembert::OrderVerdict::holds, witness.system.name(),
                    ", order ", int(method.facts().order), ": ", order.what, " ", order.text());
    }
  }
}

}  // namespace test_support
