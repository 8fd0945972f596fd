#include "dalembert/audit/drift.hpp"

#include <doctest/doctest.h>

#include <map>

#include "dalembert/method/library.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

/// The verdicts on the transmission with a rotating driver, h = 0.1, by quantity.
std::map<std::string, LongRunVerdict> verdicts(const MethodSpec& method, double epsilon,
                                               std::uint64_t steps) {
  const auto cvt = test_support::pendulum_cvt();
  LongRun run{audit_problem(cvt.system, cvt.q, {0.0, 0.0, 2.82842712}), 0.1, steps, 30.0};
  run.problem.parameters = {epsilon};
  std::map<std::string, LongRunVerdict> found;
  for (const DriftFinding& finding : audit_long_run(run, make_method(method)))
    found[finding.quantity] = finding.verdict;
  return found;
}

}  // namespace

TEST_CASE("Long runs: what stays, what drifts, what is exact and what is lost") {
  // Modin and Verdier 2020, Figs. 6 and 8: only the reversal keeps the three methods from drifting.
  for (const char* name : {"dla01", "leapfrog"}) {
    CHECK(verdicts({name}, 0.0, 30000).at("energy") == LongRunVerdict::free);
    CHECK(verdicts({name}, 0.0, 30000).at("latitude") == LongRunVerdict::free);
  }
  CHECK(verdicts({"dla01"}, 0.5, 30000).at("energy") == LongRunVerdict::drifts);
  CHECK(verdicts({"dla01"}, 0.5, 30000).at("latitude") == LongRunVerdict::drifts);
  CHECK(verdicts({"leapfrog"}, 0.5, 30000).at("energy") == LongRunVerdict::free);
  // The energy oscillates by a hundredth, and moves on by 2.5e-7 per unit of time.
  CHECK(verdicts({"newmark-composition"}, 0.1, 30000).at("energy") == LongRunVerdict::slow);
  CHECK(verdicts({"lobatto", {{"stages", 4.0}}}, 0.5, 30000).at("energy") == LongRunVerdict::slow);
  CHECK(verdict_text(LongRunVerdict::slow) == "slow drift");
  CHECK(verdicts({"discrete-derivative"}, 0.5, 3000).at("energy") == LongRunVerdict::exact);
  // One-sided forces brake the passengers until they rest: flat, and gone.
  CHECK(verdicts({"dla", {{"alpha", 0.0}}}, 0.0, 30000).at("energy") == LongRunVerdict::lost);
}
