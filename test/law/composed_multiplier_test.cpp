// The multipliers of methods that are made of others: of compositions, which report that of their
// last substep; of adjoints, whose base goes backwards; of SHAKE, whose steps share the nodes of
// RATTLE.

#include <doctest/doctest.h>

#include <cstddef>

#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "dalembert/method/variational.hpp"
#include "support/driver_witness.hpp"
#include "support/general_witness.hpp"
#include "support/group_systems.hpp"
#include "support/multiplier_bench.hpp"
#include "support/other_report.hpp"
#include "support/same_multiplier.hpp"

using namespace dalembert;
using dalembert::study::Extended;
using namespace test_support;

namespace {

const Method closed = Lobatto{.stages = 2, .multiplier = Lobatto::Multiplier::closed};

void check_node(MultiplierBench& bench, const Method& method, int order, const Extended& back) {
  const OrderSeries series = bench.errors(method, back);
  CHECK_MESSAGE(judge_order(series, order) == OrderVerdict::holds, bench.system().name(), ", ",
                label(method.spec()), ", ", static_cast<double>(back),
                " before the node: ", series.slope, " +- ", series.uncertainty, " for ", order);
}

}  // namespace

TEST_CASE("SHAKE reports the mean of the multipliers with which RATTLE arrives at the old node") {
  std::size_t rejected = 0;
  for (const Witness& witness : {witness_surface(), witness_moving_surface()}) {
    CHECK(distance_from_rattle(witness, Shake{}) < same_multiplier);
    MultiplierBench bench(witness);
    check_node(bench, Shake{}, 2, 1);
    check_node(bench, Shake{}, 1, 0);
    check_node(bench, rattle, 1, 0);
    const auto rejects = [&](const Method& sabotaged) {
      CHECK(distance_from_rattle(witness, sabotaged) > other_multiplier);
      CHECK(bench.verdict(sabotaged, 2, 1) == OrderVerdict::broken);
      ++rejected;
    };
    rejects(with_the_other_sign(Shake{}));
    rejects(with_unknown(Shake{}, "h*lambda"));
    rejects(with_unknown(Shake{}, "correction"));  // that of the projection at the new node
    CHECK(bench.verdict(rattle, 2, 1) == OrderVerdict::broken);
  }
  REQUIRE(rejected == 6);
}

TEST_CASE("A composition reports the multiplier of its last substep") {
  std::size_t compared = 0;
  const auto check_last = [&](const auto& problem, const Composition& all) {
    CAPTURE(problem.system.name());
    CAPTURE(label(all.whole.spec()));
    const std::size_t last = all.substeps.size() - 1;
    CHECK(distance_from_substep(problem, all, last) < same_multiplier);
    CHECK(distance_from_substep(problem, all, 0) > other_multiplier);
    CHECK(distance_from_substep(problem, all, last - 1) > other_multiplier);
    ++compared;
  };
  const Witness curved = witness_constant_mass(), timed = witness_timed_constant_mass();
  for (const Scheme scheme : {Scheme::triple_jump, Scheme::suzuki_4, Scheme::kahan_li_6})
    check_last(curved, composition(Dla01{}, scheme));
  for (const Method& base : {Method(Leapfrog{}), Method(Newmark{}), closed})
    check_last(curved, composition(base, Scheme::triple_jump));
  check_last(timed, composition(Dla01{}, Scheme::triple_jump));
  check_last(rolling_ball(), composition(Dla01{}, Scheme::triple_jump));
  const Extended half = Extended(1) / 2;
  for (const Witness& witness : {curved, timed}) {
    check_last(witness, {NewmarkComposition{},
                         {{Newmark{.alpha = 0.0}, half}, {Newmark{.alpha = 1.0}, half}}});
  }
  REQUIRE(compared == 10);
}

TEST_CASE("The multiplier of a composition lives in the middle of its last substep") {
  // That of dla01 is an impulse divided by the step: a mean, of order 2 in the middle.
  std::size_t measured = 0;
  MultiplierBench curved(witness_constant_mass()), ball(rolling_ball());
  for (MultiplierBench* bench : {&curved, &ball}) {
    for (const Scheme scheme : {Scheme::triple_jump, Scheme::suzuki_4}) {
      if (bench == &ball && scheme == Scheme::suzuki_4) continue;
      const Method method = Compose{.base = Dla01{}, .scheme = scheme};
      const Extended last = composition_scheme(scheme).fractions.back().as<Extended>();
      check_node(*bench, method, 2, last / 2);
      check_node(*bench, method, 1, 0);
      ++measured;
      if (bench != &curved) continue;
      CHECK(bench->verdict(with_the_other_sign(method), 2, last / 2) == OrderVerdict::broken);
      CHECK(bench->verdict(with_impulses(method), 2, last / 2) == OrderVerdict::broken);
      // The first of several unknowns of that name.
      CHECK(bench->verdict(with_unknown(method, "lambda"), 2, last / 2) == OrderVerdict::broken);
    }
  }
  REQUIRE(measured == 3);
  // Where the multiplier is that of a node, so it is in compositions.
  check_node(curved, Compose{.base = Leapfrog{}}, 2, 0);
}

TEST_CASE("newmark-composition reports the multiplier of the forces alone") {
  // With v = 0 the constraint matrix does not change: the last half step has its discrete
  // constraint at the new node, where it leaves A M^-1 (A^T lambda - dV) = 0.
  const Witness witness = witness_constant_mass();
  const auto distance = [&](const Method& method) {
    WideMap map(witness.system, method, {});
    WidePoint point = map.start(witness.q, witness.v);
    steps_of(map, point, composed_step, 4);
    WidePoint at_rest = point;
    for (Extended& rate : at_rest.v) rate = 0;
    return distance_of(point.lambda, map.exact_multiplier(at_rest));
  };
  CHECK(distance(NewmarkComposition{}) < same_multiplier);
  CHECK(distance(with_the_other_sign(NewmarkComposition{})) > 0.01);
  CHECK(distance(with_unknown(NewmarkComposition{}, "lambda")) > 0.01);  // of the first half
  CHECK(distance(with_unknown(NewmarkComposition{}, "lambda_before")) > 0.01);
}

TEST_CASE("An adjoint reports the multiplier of its base, which goes back from the new state") {
  std::size_t compared = 0;
  const auto check_base = [&](const auto& problem, const Method& base) {
    const Method adjoint = Adjoint{base};
    CAPTURE(problem.system.name());
    CAPTURE(label(base.spec()));
    CHECK(distance_from_base(problem, base, adjoint) < same_multiplier);
    CHECK(distance_from_base(problem, base, with_the_other_sign(adjoint)) > 0.01);
    ++compared;
  };
  const Witness curved = witness_constant_mass(), timed = witness_timed_constant_mass();
  for (const Method& base : {Method(Dla{.alpha = 0.0}), Method(Dla{.alpha = 0.3}), Method(Dla01{}),
                             Method(Newmark{.alpha = 0.3}), Method(Spark{})})
    check_base(curved, base);
  check_base(timed, Dla{.alpha = 0.0});
  check_base(rolling_ball(), Dla01{});
  REQUIRE(compared == 7);
}

TEST_CASE(
    "The multiplier of an adjoint lives where that of its base does, seen from the other end") {
  MultiplierBench curved(witness_constant_mass()), ball(rolling_ball());
  const Extended half = Extended(1) / 2;
  check_node(curved, Adjoint{}, 1, 0);
  for (MultiplierBench* bench : {&curved, &ball}) check_node(*bench, Adjoint{Dla01{}}, 2, half);
  CHECK(curved.verdict(with_the_other_sign(Adjoint{Dla01{}}), 2, half) == OrderVerdict::broken);
  CHECK(curved.verdict(a_step_late(Adjoint{Dla01{}}), 2, half) == OrderVerdict::broken);
  // Psi_s at the new node of spark is at the old node of its adjoint.
  check_node(curved, Spark{}, 2, 0);
  check_node(curved, Adjoint{Spark{}}, 2, 1);
}

TEST_CASE("Compositions of methods on D* report multipliers of the order of q and v") {
  MultiplierBench coupled(witness_coupled());
  const Method mean_value = ReducedGradient{.gradient = GradientKind::mean_value};
  for (const Method& base : {mean_value, Method(EnergyCollocation{.stages = 1})}) {
    check_node(coupled, base, 2, 0);
    check_node(coupled, Compose{.base = base}, 4, 0);
  }
}
