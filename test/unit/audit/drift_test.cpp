#include "dalembert/audit/drift.hpp"

#include <doctest/doctest.h>

#include <map>

#include "dalembert/method/library.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

constexpr double turning_speed = 2.82842712, swinging_speed = 1.8973666;

/// The verdicts on the transmission with a driver of that speed, h = 0.1, by quantity.
std::map<std::string, LongRunVerdict> verdicts(const MethodSpec& method, double epsilon,
                                               std::uint64_t steps, double speed = turning_speed) {
  const auto cvt = test_support::pendulum_cvt();
  LongRun run{audit_problem(cvt.system, cvt.q, {0.0, 0.0, speed}), 0.1, steps, 30.0};
  run.problem.parameters = {epsilon};
  std::map<std::string, LongRunVerdict> found;
  for (const DriftFinding& finding : audit_long_run(run, make_method(method)))
    found[finding.quantity] = finding.verdict;
  return found;
}

}  // namespace

TEST_CASE("The latitude is judged by its slope against its error, as all else") {
  // Half of the energy's rate: what a mode along the axis loses, both lose, if ever so slowly: a
  // hundredth of the latitude takes spark 40000 units of time.
  for (const MethodSpec& method :
       {MethodSpec{"spark"}, MethodSpec{"lobatto", {{"multiplier", std::string("closed")}}},
        MethodSpec{"compose"}, MethodSpec{"newmark-composition"}}) {
    CAPTURE(method.name);
    const auto found = verdicts(method, 0.5, 30000);
    CHECK(found.at("energy") == LongRunVerdict::drifts);
    CHECK(found.at("latitude") == LongRunVerdict::drifts);
  }
  // It oscillates by thousandths, more slowly than the run; the modes, which have no rate, know.
  CHECK(verdicts({"dla"}, 0.1, 30000, swinging_speed).at("latitude") == LongRunVerdict::free);
  // Without modes, since drivers feel the passengers, such an oscillation is none or not decided.
  const LongRunVerdict unknown =
      verdicts({"discrete-derivative"}, 0.1, 30000, swinging_speed).at("latitude");
  CHECK((unknown == LongRunVerdict::free || unknown == LongRunVerdict::undecided));
}

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
  CHECK(verdicts({"lobatto", {{"stages", 4.0}, {"multiplier", std::string("carried")}}}, 0.5, 30000)
            .at("energy") == LongRunVerdict::slow);
  CHECK(verdict_text(LongRunVerdict::slow) == "slow drift");
  CHECK(verdicts({"discrete-derivative"}, 0.5, 3000).at("energy") == LongRunVerdict::exact);
  // One-sided forces brake the passengers until they rest: flat, and gone.
  CHECK(verdicts({"dla", {{"alpha", 0.0}}}, 0.0, 30000).at("energy") == LongRunVerdict::lost);
}
