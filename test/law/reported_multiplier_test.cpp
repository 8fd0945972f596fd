// The multipliers that methods report on groups, and those of splittings: sign, size and node. A
// multiplier of order 2 at one node is of order 1 at all others, so the order tells the node; that
// of order 1 anywhere is half of a mean that is of order 2 at one node.

#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/splitting/driver_splitting.hpp"
#include "dalembert/method/splitting/frame_splitting.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/driver_witness.hpp"
#include "support/general_witness.hpp"
#include "support/group_systems.hpp"
#include "support/multiplier_bench.hpp"
#include "support/other_report.hpp"

using namespace dalembert;
using dalembert::study::Extended;
using namespace test_support;

namespace {

const Method given_frame = FrameSplitting{.frame = FrameKind::given};
const Method drivers_by_energy = DriverSplitting{.driver = DriverSplitting::Driver::energy};

void check_order(MultiplierBench& bench, const Method& method, int order,
                 const MultiplierReport& report = reported) {
  const OrderSeries series = bench.errors(method, 0, report);
  CHECK_MESSAGE(judge_order(series, order) == OrderVerdict::holds, bench.system().name(), ", ",
                label(method.spec()), ": ", series.slope, " +- ", series.uncertainty, " for ",
                order);
}

}  // namespace

TEST_CASE("The multiplier of the motion is the force that Newton's law asks for") {
  const NewtonsLaw ball(rolling_ball()), wheel(unicycle()), slope(witness_surface()),
      coupled(witness_constant_mass());
  // The table pushes the ball, of mass 1, in its plane.
  CHECK(ball.gives(0, ball.acceleration[3]));
  CHECK(ball.gives(1, ball.acceleration[4]));
  // 0.4 roll'' = -0.8 lambda_1.
  CHECK(wheel.gives(0, wheel.acceleration[3] / -2));
  {
    // 1.2 z'' - 0.8/2 y'' + dV/dz = lambda dphi/dz.
    const Extended &x = slope.start.q[0], &z = slope.start.q[2];
    const Extended push = Extended(1.2) * slope.acceleration[2] -
                          Extended(0.8) / 2 * slope.acceleration[1] + Extended(0.7) * z +
                          z * z * z / 2;
    CHECK(slope.gives(0, push / (2 * (1 + sin(x) / 5) * z)));
  }
  // 1.5 y'' + 0.6/2 x'' - 0.8/2 z'' + dV/dy = lambda (1 + x^2/2).
  const WideVector& q = coupled.start.q;
  const WideVector& rate = coupled.acceleration;
  const Extended push = Extended(1.5) * rate[1] + Extended(0.6) / 2 * rate[0] -
                        Extended(0.8) / 2 * rate[2] + Extended(1.3) * q[1] +
                        q[0] * q[0] * q[1] / 2 + cos(q[0] + q[1] * q[2]) * q[2] / 5;
  CHECK(coupled.gives(0, push / (1 + q[0] * q[0] / 2)));
}

TEST_CASE("lie-lobatto and lie-midpoint report multipliers of the new node") {
  std::size_t measured = 0;
  for (const GroupSystem& problem : group_systems()) {
    const System& system = problem.system;
    if (system.constraint_count() == 0) continue;
    // The disk turns four times as fast.
    MultiplierBench bench(problem, system.name() == "tilting-disk" ? 0.5 : 1.0);
    for (const int stages : {2, 3, 4}) {
      // Odd numbers of stages have the same order with constraints on positions and without.
      if (stages == 3 && system.traits().holonomic) continue;
      const Method method = LieLobatto{.stages = stages};
      check_order(bench, method, multiplier_order(method.facts(), system.traits()));
      ++measured;
    }
    check_order(bench, LieMidpoint{}, 2);
    ++measured;
    if (system.name() != "rolling-ball") continue;
    check_order(bench, LieLobatto{.stages = 3, .retraction = Retraction::exponential}, 2);
    check_order(bench, LieMidpoint{.retraction = Retraction::exponential}, 2);
    measured += 2;
  }
  REQUIRE(measured == 20);
}

TEST_CASE("lie-newmark reports one of two multipliers at the new node, whose mean is of order 2") {
  // Both have an error of order h with opposite signs, a rate of the constraint matrix: none where
  // that is constant in the body, as that of the wheel and of Suslov's body.
  const std::map<std::string, int> order_alone{{"rolling-ball", 1}, {"unicycle", 2}, {"suslov", 2}};
  std::size_t measured = 0;
  for (const GroupSystem& problem : {rolling_ball(), unicycle(), suslov()}) {
    MultiplierBench bench(problem);
    for (const Retraction retraction : {Retraction::cayley, Retraction::exponential}) {
      const Method method = LieNewmark{.retraction = retraction};
      check_order(bench, method, order_alone.at(problem.system.name()));
      check_order(bench, method, 2, mean_at_node);
      ++measured;
    }
  }
  REQUIRE(measured == 6);
  MultiplierBench coupled(witness_constant_mass());
  check_order(coupled, Newmark{}, 1);
  check_order(coupled, Newmark{}, 2, mean_at_node);
}

TEST_CASE("Splittings report the multiplier of the motion at the new node, composed or not") {
  std::size_t measured = 0;
  const auto check_both = [&](MultiplierBench& bench, const Method& base) {
    check_order(bench, base, 2);
    check_order(bench, Compose{.base = base}, 4);
    ++measured;
  };
  MultiplierBench coupled(witness_coupled()), drivers(witness_drivers(3, 2)),
      curved(witness_constant_mass());
  check_both(coupled, DriverSplitting{.driver = DriverSplitting::Driver::leapfrog});
  check_both(coupled, drivers_by_energy);
  check_both(drivers, drivers_by_energy);
  check_both(curved, given_frame);
  REQUIRE(measured == 4);
}

TEST_CASE("Runs report the multipliers whose orders are measured") {
  std::size_t compared = 0;
  const auto check_run = [&](const auto& problem, const Method& method) {
    StepMap<double> map(problem.system, method, {});
    BasicPoint<double> point = map.start(problem.q, problem.v);
    const Solution run =
        simulate(problem.system, method, {point.q, point.v}, {.step = 0.0625, .steps = 8});
    REQUIRE(run.size() == 9);
    for (std::size_t k = 1; k < run.size(); ++k) {
      REQUIRE(map.apply(point, 0.0625));
      const std::span<const double> row = run.lambda(k);
      REQUIRE(row.size() == problem.system.constraint_count());
      // Round-off of a few steps over h: a run puts its start on the constraints once more.
      CHECK_MESSAGE(largest_difference(map.multiplier(point),
                                       std::vector<double>(row.begin(), row.end())) < 1e-11,
                    problem.system.name(), ", ", label(method.spec()), ", record ", k);
      ++compared;
    }
  };
  for (const Method& method : {Method(LieLobatto{}), Method(LieMidpoint{}), Method(LieNewmark{})})
    check_run(rolling_ball(), method);
  check_run(witness_coupled(), drivers_by_energy);
  check_run(witness_constant_mass(), given_frame);
  check_run(witness_constant_mass(), Compose{});
  REQUIRE(compared == 48);
}

TEST_CASE("Multipliers of other sign, size, node or stage are rejected") {
  std::size_t rejected = 0;
  const auto rejects = [&](MultiplierBench& bench, const Method& sabotaged,
                           const std::string& which, const MultiplierReport& report = reported) {
    const OrderSeries series = bench.errors(sabotaged, 0, report);
    CHECK_MESSAGE(judge_order(series, 2) == OrderVerdict::broken, sabotaged.name(), ", ", which,
                  ": ", series.slope);
    ++rejected;
  };
  MultiplierBench ball(rolling_ball()), coupled(witness_coupled()), curved(witness_constant_mass());
  const Method midpoint = LieMidpoint{}, lobatto = LieLobatto{}, newmark = LieNewmark{};
  check_order(ball, reporting(midpoint, &WrittenStep::honest), 2);
  rejects(ball, with_the_other_sign(midpoint), "sign");
  rejects(ball, a_step_late(midpoint), "old node");
  rejects(ball, with_unknown(midpoint, "lambda"), "middle of the step");
  check_order(ball, reporting(lobatto, &WrittenStep::honest), 2);
  rejects(ball, with_the_other_sign(lobatto), "sign");
  rejects(ball, with_unknown(lobatto, "Lambda_2"), "middle stage");
  check_order(ball, reporting(newmark, &WrittenStep::honest), 2, mean_at_node);
  rejects(ball, with_the_other_sign(newmark), "sign", mean_at_node);
  // Of order 1 as the right one: the mean alone tells.
  const Method first = with_unknown(newmark, "lambda_before");
  CHECK(ball.verdict(first, 1) == OrderVerdict::holds);
  rejects(ball, first, "old node", mean_at_node);
  for (MultiplierBench* bench : {&coupled, &curved}) {
    const Method& honest = bench == &coupled ? drivers_by_energy : given_frame;
    check_order(*bench, reporting(honest, &WrittenStep::honest), 2);
    rejects(*bench, with_the_other_sign(honest), "sign");
    rejects(*bench, a_step_late(honest), "old node");
    rejects(*bench, with_impulses(honest), "impulse");
  }
  REQUIRE(rejected == 13);
}
