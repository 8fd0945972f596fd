#pragma once
// Orders of several methods on one witness, each exactly as promised.

#include <doctest/doctest.h>

#include <vector>

#include "support/law.hpp"

namespace test_support {

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
