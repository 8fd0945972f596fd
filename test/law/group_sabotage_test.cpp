// The two-stage Lobatto method on groups by hand, with the momentum balance that the library's has,
// and with balances that look as good and are not: those lose the momenta that symmetries keep.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/mechanics/group/chart.hpp"
#include "dalembert/method/in_chart.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/convergence.hpp"
#include "support/group_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// How the momentum goes from the start of a step to its end.
enum class Balance {
  transported,   ///< both ends carried to the base point, where the impulses act
  from_start,    ///< P = p0 in place of the momentum of the chart, although its base is the middle
  in_the_chart,  ///< T^T p1 = P + impulses of the chart: no transport at all
};

/// The leap-frog on a group around the middle of the step, for constant mass in the body frame.
struct LeapfrogOnGroup {
  Balance balance = Balance::transported;

  static MethodPage<LeapfrogOnGroup> page() {
    return {
        .name = "leapfrog-on-group",
        .facts = Facts{.order = 2, .carries_multiplier = true},
        .requirements = Requirements{.constraints = ConstraintKind::affine, .handles_groups = true},
        .equations = &LeapfrogOnGroup::equations};
  }

  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector first = u.vector("U1", a.v), last = u.vector("U2", a.v);
    const Vector lambda = u.multiplier("lambda", a.lambda);
    const Vector total = 0.5 * h * (first + last), here = zeros(s.dof());
    const Chart chart(s.configuration(), a.q, total);
    const Stage begin = stage(s, chart, here, first, a.lambda, a.t),
                end = stage(s, chart, total, last, lambda, a.t + h);
    const Vector p0 = s.momentum(a.q, a.v), from_start = chart.momentum(here, p0);
    const Vector impulse = 0.5 * h * (begin.chart_force + end.chart_force);
    const Vector base_impulse =
        0.5 * h * (chart.to_base(here, begin.force) + chart.to_base(total, end.force));
    const Vector arrived = chart.from_base(total, chart.to_base(here, p0) + base_impulse);
    const Vector from_end = chart.momentum(total, arrived) - impulse;
    const Vector chart_momentum = balance == Balance::transported
                                      ? 0.5 * from_end + 0.5 * from_start
                                  : balance == Balance::from_start ? p0
                                                                   : from_start;
    const Vector half = chart_momentum + 0.5 * h * begin.chart_force;
    const Vector q = chart.point(total);
    Vector v = a.v + solve_linear(s.mass(q), arrived - p0);
    Vector zero = concatenate(
        {chart.momentum(here, begin.momentum) - half, chart.momentum(total, end.momentum) - half});
    if (balance == Balance::in_the_chart) {
      v = u.vector("v", a.v);
      const Vector wanted = chart_momentum + impulse;
      zero = concatenate({zero, chart.momentum(total, s.momentum(q, v)) - wanted});
    }
    return {.zero = zero,
            .constraint = s.constraint(q, v),
            .after = {s.configuration().normalised(q), v, lambda}};
  }

 private:
  struct Stage {
    Vector momentum, force, chart_force;
  };
  static Stage stage(const System& s, const Chart& chart, const Vector& place, const Vector& u,
                     const Vector& lambda, const Expr& t) {
    const Vector q = chart.point(place), eta = chart.velocity(place, u);
    const Vector m = s.momentum(q, eta, t), reaction = s.constraint_force(q, eta, t, lambda);
    const Vector f = s.lagrangian_gradient(q, eta, t) + reaction;
    return {m, f, chart.force(place, u, f, m)};
  }
};

/// How much the first integrals `kept` change over 2000 steps.
double change_of_momenta(const GroupSystem& problem, const Method& method, std::size_t kept) {
  StepMap<double> map(problem.system, method, {});
  const BasicPoint<double> start = map.start(problem.q, problem.v);
  BasicPoint<double> point = start;
  REQUIRE(map.apply(point, 0.2, 2000));
  const std::vector<double> before = map.integrals(start), after = map.integrals(point);
  double largest = 0.0;
  for (std::size_t i = 0; i < kept; ++i)
    largest = numeric::larger(largest, std::fabs(after[i] - before[i]));
  return largest;
}

/// A method that says it knows nothing of groups.
Method without_groups(const Method& method) {
  MethodDefinition definition = method.definition();
  definition.requirements.handles_groups = false;
  return Method(definition);
}

}  // namespace

TEST_CASE("Two Lobatto stages on groups are the leap-frog written by hand") {
  for (const GroupSystem& problem : {rolling_ball(), unicycle(), heavy_top(), suslov()}) {
    StepMap<double> library(problem.system,
                            Lobatto{.stages = 2, .multiplier = Lobatto::Multiplier::carried}, {}),
        hand(problem.system, LeapfrogOnGroup{}, {});
    BasicPoint<double> a = library.start(problem.q, problem.v),
                       b = hand.start(problem.q, problem.v);
    REQUIRE(library.apply(a, 0.1, 50));
    REQUIRE(hand.apply(b, 0.1, 50));
    INFO(problem.system.name());
    // Round-off of fifty steps.
    CHECK(largest_difference(a.q, b.q) < 1e-12);
    CHECK(largest_difference(a.v, b.v) < 1e-12);
    CHECK(largest_difference(a.lambda, b.lambda) < 1e-11);
  }
}

TEST_CASE("Momenta in space need the transported balance of momentum") {
  for (const GroupSystem& problem : {rolling_ball(), heavy_top()}) {
    const std::size_t kept = problem.system.name() == "rolling-ball" ? 3 : 1;
    INFO(problem.system.name());
    // A random walk of 2000 roundings; what is wrong is wrong by a power of the step.
    CHECK(change_of_momenta(problem, LeapfrogOnGroup{}, kept) < 1e-12);
    CHECK(change_of_momenta(problem, LeapfrogOnGroup{Balance::in_the_chart}, kept) > 1e-6);
    const Method lobatto = without_groups(Lobatto{});
    CHECK(change_of_momenta(problem, InChart{.base = lobatto}, kept) > 1e-8);
  }
}

TEST_CASE("The momentum of the start belongs into the chart, too") {
  const GroupSystem problem = rolling_ball();
  const auto power = [&](const Method& method) {
    StepMap<double> map(problem.system, method, {});
    return HalvedStep(map, map.start(problem.q, problem.v), 1.0, 40).order();
  };
  CHECK(power(LeapfrogOnGroup{}) == doctest::Approx(2.0).epsilon(0.1));
  CHECK(power(LeapfrogOnGroup{Balance::from_start}) < 1.5);
}
