// Orders in q, v and the multipliers, over all methods and suitable witnesses, from both sides: no
// witness shows a lower order than promised, and not all of them show a higher one.

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "support/law.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

TEST_CASE("Orders of q, v and multipliers are those promised") {
  struct Seen {
    int exactly = 0, higher = 0;
    std::string text;
  };
  std::map<std::string, Seen> seen;
  for (const Witness& witness : {witness_constant_mass(), witness_coupled_mass(),
                                 witness_two_constraints(), witness_general()}) {
    Orders bench(witness);
    for (const MethodSpec& spec :
         method_variants(witness.large ? Variants::defaults : Variants::each_option)) {
      if (!fits(spec, witness)) continue;
      const Method method = make_method(spec);
      const std::string which = witness.system.name() + ", " + label(spec);
      const std::vector<MeasuredOrder> orders = bench.of(method);
      CHECK_MESSAGE(!orders.empty(), which, ": a step was refused");
      for (const MeasuredOrder& order : orders) {
        const OrderVerdict verdict = order.verdict();
        CHECK_MESSAGE((verdict == OrderVerdict::holds || verdict == OrderVerdict::higher), which,
                      ", order of ", order.what, " ", order.text());
        Seen& entry = seen[label(spec) + ", order of " + order.what];
        ++(verdict == OrderVerdict::higher ? entry.higher : entry.exactly);
        entry.text = order.text();
      }
    }
  }
  CHECK(seen.size() > 100);
  for (const auto& [which, entry] : seen)
    CHECK_MESSAGE(entry.exactly > 0, which, " is higher than promised on every witness ",
                  entry.text);
}
