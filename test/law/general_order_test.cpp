// Orders on general systems: nonlinear constraints, explicit time, forces, constraints on
// positions; any number of stages; local orders; dense output.

#include <doctest/doctest.h>

#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/run/dense_output.hpp"
#include "support/general_witness.hpp"
#include "support/law.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

MethodSpec spec(const std::string& name, const std::map<std::string, OptionValue>& options = {}) {
  return {name, options};
}

void check_orders(const Witness& witness, const std::vector<MethodSpec>& specs) {
  Orders bench(witness);
  for (const MethodSpec& each : specs) {
    const Method method = make_method(each);
    const std::string which = witness.system.name() + ", " + label(each);
    const std::vector<MeasuredOrder> orders = bench.of(method);
    CHECK_MESSAGE(!orders.empty(), which);
    for (const MeasuredOrder& order : orders) {
      CHECK_MESSAGE(order.verdict() == OrderVerdict::holds, which, ": ", order.what, " ",
                    order.text());
    }
  }
}

const std::vector<MethodSpec> multi_stage{
    spec("lobatto", {{"stages", 2.0}}),
    spec("lobatto", {{"stages", 3.0}}),
    spec("lobatto", {{"stages", 4.0}}),
    spec("spark", {{"stages", 2.0}}),
    spec("spark", {{"stages", 3.0}}),
    spec("spark", {{"stages", 3.0}, {"constraint_tableau", std::string("IIID")}})};

}  // namespace

TEST_CASE("Orders on a nonlinear constraint") { check_orders(witness_nonlinear(), multi_stage); }

TEST_CASE("Orders where everything depends on time and forces act") {
  std::vector<MethodSpec> specs = multi_stage;
  for (const char* name : {"dla", "dla01", "newmark", "newmark-composition"})
    specs.push_back(spec(name));
  specs.push_back(spec("dla", {{"alpha", 0.3}}));
  check_orders(witness_forced_time(), specs);
}

TEST_CASE("Orders with constant mass where everything else depends on time and forces act") {
  check_orders(
      witness_forced_time_constant_mass(),
      {spec("dla"), spec("dla01"), spec("leapfrog"),
       spec("leapfrog", {{"first", std::string("drift")}}), spec("newmark"),
       spec("newmark", {{"constraint", std::string("average")}}),
       spec("newmark", {{"constraint", std::string("bisector")}}), spec("newmark-composition"),
       spec("discrete-derivative"), spec("compose", {{"scheme", std::string("suzuki-4")}})});
}

TEST_CASE("Orders with constant mass and a constraint that depends on time, without forces") {
  std::vector<MethodSpec> specs = multi_stage;
  for (const char* name :
       {"dla", "dla01", "leapfrog", "newmark", "newmark-composition", "discrete-derivative"})
    specs.push_back(spec(name));
  specs.push_back(spec("dla", {{"alpha", 0.3}}));
  specs.push_back(spec("leapfrog", {{"first", std::string("drift")}}));
  specs.push_back(spec("newmark", {{"constraint", std::string("average")}}));
  specs.push_back(spec("newmark", {{"constraint", std::string("bisector")}}));
  specs.push_back(spec("compose", {{"scheme", std::string("suzuki-4")}}));
  check_orders(witness_timed_constant_mass(), specs);
}

TEST_CASE("Orders with a constraint on positions beside one on velocities") {
  check_orders(witness_holonomic(), multi_stage);
}

TEST_CASE("Orders with a constraint on positions that moves") {
  std::vector<MethodSpec> specs = multi_stage;
  specs.push_back(spec("rattle"));
  specs.push_back(spec("variational-runge-kutta", {{"stages", 3.0}}));
  specs.push_back(spec("variational-runge-kutta", {{"stages", 4.0}}));
  specs.push_back(spec("runge-kutta-4"));
  specs.push_back(spec("runge-kutta-4", {{"projection", std::string("position-velocity")}}));
  specs.push_back(spec("gauss", {{"projection", std::string("position-velocity")}}));
  check_orders(witness_moving_surface(), specs);
}

TEST_CASE("lobatto has order 2 s - 2 for five and six stages") {
  const std::vector<MethodSpec> high{spec("lobatto", {{"stages", 5.0}}),
                                     spec("lobatto", {{"stages", 6.0}})};
  for (const Witness& witness : {witness_constant_mass(), witness_nonlinear()}) {
    // Long steps: with short ones the errors are below that of the reference.
    OrderBench<Extended> bench(witness, wide_floor);
    for (const MethodSpec& each : high) {
      const Method method = make_method(each);
      CAPTURE(label(each));
      const auto orders = bench.measure(method, 4, 4);
      REQUIRE(!orders.failed);
      CHECK(judge_order(orders.q, method.facts().order) == OrderVerdict::holds);
      CHECK(judge_order(orders.v, method.facts().order) == OrderVerdict::holds);
      CHECK(judge_order(orders.lambda, method.facts().multiplier_order) == OrderVerdict::holds);
    }
  }
}

namespace {

/// Slopes of the errors of one step against the motion itself, as the step is halved.
struct LocalErrors {
  OrderSeries q, v, lambda;
};

/// The errors of the state after one step, or at a fraction of the step by the stage values that
/// dense output carries (the node `node` of the interpolation).
LocalErrors local_errors(const Witness& witness, int stages, std::size_t node,
                         Lobatto::Multiplier multiplier = Lobatto::Multiplier::closed) {
  const Lobatto method{.stages = stages, .multiplier = multiplier, .dense_output = true};
  const std::vector<double> parameters = witness.system.default_parameters();
  StepMap<Extended> exact(witness.system, Method(Gauss{.stages = 6}), parameters);
  StepMap<Extended> map(witness.system, Method(method), parameters);
  const std::vector<Constant> nodes = method.interpolation_nodes();
  const std::size_t n = witness.system.dof(), m = witness.system.constraint_count();
  std::vector<double> q, v, lambda;
  for (int k = 0; k < 4; ++k) {
    const Extended h = Extended(1) / (16 << k);
    BasicPoint<Extended> point = map.start(witness.q, witness.v),
                         truth = exact.start(witness.q, witness.v);
    const std::vector<Extended> start = point.q;
    REQUIRE(map.apply(point, h));
    const Extended fraction = nodes[node].as<Extended>();
    // Eight substeps of order 12: far below every error that is measured here.
    REQUIRE(exact.apply(truth, fraction * h / 8, 8));
    if (node + 1 < nodes.size()) {
      const auto values = point.dense.begin() + std::ptrdiff_t((node - 1) * (2 * n + m));
      for (std::size_t i = 0; i < n; ++i) point.q[i] = start[i] + values[std::ptrdiff_t(i)];
      std::copy_n(values + std::ptrdiff_t(n), n, point.v.begin());
      std::copy_n(values + std::ptrdiff_t(2 * n), m, point.lambda.begin());
    }
    q.push_back(largest_difference(point.q, truth.q));
    v.push_back(largest_difference(point.v, truth.v));
    lambda.push_back(largest_difference(point.lambda, exact.multiplier(truth)));
  }
  // Round-off of the quadruple precision, divided by h in the multipliers.
  return {fit_order(q, 1e-30), fit_order(v, 1e-30), fit_order(lambda, 1e-28)};
}

}  // namespace

TEST_CASE("Local errors of lobatto are one order higher than global ones") {
  for (const int stages : {2, 3, 4}) {
    CAPTURE(stages);
    const LocalErrors end =
        local_errors(witness_coupled_mass(), stages, static_cast<std::size_t>(stages));
    CHECK(judge_order(end.q, 2 * stages - 1) == OrderVerdict::holds);
    CHECK(judge_order(end.v, 2 * stages - 1) == OrderVerdict::holds);
  }
}

/// The multiplier of a stage has the order s + `more`.
void check_stage_values(Lobatto::Multiplier multiplier, int more) {
  for (const int stages : {3, 4}) {
    CAPTURE(stages);
    const std::vector<Constant> nodes =
        Lobatto{.stages = stages, .dense_output = true}.interpolation_nodes();
    const std::vector<Constant> own = lobatto_rule(stages).nodes;
    for (std::size_t node = 1; node < static_cast<std::size_t>(stages); ++node) {
      const bool is_stage = std::any_of(
          own.begin(), own.end(), [&](const Constant& c) { return c.high == nodes[node].high; });
      CAPTURE(node);
      const LocalErrors inner = local_errors(witness_constant_mass(), stages, node, multiplier);
      // By symmetry the middle of a step can do better.
      const auto holds = [](const OrderSeries& series, int order) {
        const OrderVerdict verdict = judge_order(series, order);
        return verdict == OrderVerdict::holds || verdict == OrderVerdict::higher;
      };
      CHECK(holds(inner.q, stages + 1));
      CHECK(holds(inner.v, is_stage ? stages + 1 : stages));
      CHECK(holds(inner.lambda, stages + more));
      if (!is_stage) CHECK(inner.v.slope < stages + 0.5);
    }
  }
}

TEST_CASE("Stage values and dense output have the stated local orders") {
  check_stage_values(Lobatto::Multiplier::carried, 0);
  check_stage_values(Lobatto::Multiplier::closed, -1);
}
