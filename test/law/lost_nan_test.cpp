// One nan, at one moment, in one component of one multiplier, energy, integral or slope: audit and
// order must not call it right. Whoever keeps the largest of several numbers may forget it.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dalembert/measure/order.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "support/excursion.hpp"
#include "support/law.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

AuditVerdict verdict_of(const std::string& property, const Method& method) {
  const System system = system_with_an_edge();
  const AuditProblem problem =
      dalembert::audit_problem(system, start_position, start_velocity, true);
  for (const AuditFinding& finding : audit_exactness<Extended>(problem, method)) {
    if (finding.property == property) return finding.verdict;
  }
  FAIL(property, " is not judged");
  return AuditVerdict::not_measured;
}

/// The second of the four steps of a sixteenth after which the audit looks.
constexpr double second_step = 2.0 / 16.0;

OrderMeasurement order_of(const Method& method, double moment) {
  return measure_order<Extended>(system_with_a_hole(moment), method,
                                 {.parameters = {},
                                  .q = start_position,
                                  .v = start_velocity,
                                  .until = 1.0,
                                  .first_steps = 5,
                                  .runs = 4});
}

/// Free flight, which asks no system for anything, under the promises of dla01.
struct FreeFlight {
  static MethodPage<FreeFlight> page() {
    return {.name = "free-flight",
            .facts = Method(Dla01{}).facts(),
            .requirements = Requirements{.lagrangian = LagrangianKind::general},
            .equations = &FreeFlight::equations};
  }
  Equations equations(const System&, const State& a, Unknowns&, const Expr& h) const {
    return {.zero = {}, .constraint = {}, .after = {a.q + h * a.v, a.v}};
  }
};

}  // namespace

TEST_CASE("An energy that is nan once is not kept") {
  const Method honest = DiscreteDerivative{};
  CHECK(verdict_of("energy", honest) == AuditVerdict::kept);
  CHECK(verdict_of("energy", with_excursion(honest, second_step)) == AuditVerdict::not_measured);
}

TEST_CASE("A constraint that is nan once is not kept, and no integral either") {
  const Method honest = Dla01{}, spoilt = with_excursion(honest, second_step);
  CHECK(verdict_of("maps D to D", honest) == AuditVerdict::kept);
  CHECK(verdict_of("maps D to D", spoilt) == AuditVerdict::not_measured);
  CHECK(verdict_of("integral root", honest) != AuditVerdict::not_measured);
  CHECK(verdict_of("integral root", spoilt) == AuditVerdict::not_measured);
}

TEST_CASE("A slope that is nan in one entry is not symplectic") {
  // The mass has no derivative at x = 0, times a parameter that is zero; the motion has no force.
  SystemDescription description{"kink", {{"x"}, {"y"}}, {{"mu", 0.0}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    Mechanics m;
    const Expr kink = s["mu"] * sqrt(square(s.q[0]));
    m.kinetic = (square(s.v[0]) * (1.0 + kink) + square(s.v[1])) / 2.0;
    return m;
  });
  StepMap<double> map(system, FreeFlight{}, {});
  BasicPoint<double> start = map.start(std::vector{1.0, 0.5}, std::vector{0.25, -0.5});
  CHECK(symplecticity_defect(map, start, 0.125) < AuditThresholds<double>::exact_below);
  start.q[0] = 0.0;
  CHECK(std::isnan(symplecticity_defect(map, start, 0.125)));
}

TEST_CASE("An order is not measured where one multiplier at one node is nan") {
  constexpr double between_nodes = 0.33, at_a_node = 0.4;
  const Method gauss = Gauss{.stages = 2};
  const OrderMeasurement whole = order_of(gauss, between_nodes);
  CHECK(judge_order(whole.lambda, 4) == OrderVerdict::holds);
  const OrderMeasurement spoilt = order_of(gauss, at_a_node);
  CHECK(spoilt.failure.empty());
  CHECK(judge_order(spoilt.q, 4) == OrderVerdict::holds);
  CHECK(judge_order(spoilt.lambda, 4) == OrderVerdict::not_measured);
}

TEST_CASE("An order is not measured where the error of one step is nan, whichever it is") {
  const std::vector<double> errors{1e-2, 2.5e-3, 6.25e-4, 1.5625e-4, 3.90625e-5};
  CHECK(judge_order(fit_order(errors, 1e-12), 2) == OrderVerdict::holds);
  for (std::size_t k = 0; k < errors.size(); ++k) {
    std::vector<double> spoilt = errors;
    spoilt[k] = std::numeric_limits<double>::quiet_NaN();
    CHECK(judge_order(fit_order(spoilt, 1e-12), 2) == OrderVerdict::not_measured);
  }
}

TEST_CASE("The largest difference of two vectors is nan wherever a nan stands") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> zero{0.0, 1.0, 0.0};
  for (std::size_t k = 0; k < zero.size(); ++k) {
    std::vector<double> spoilt = zero;
    spoilt[k] = nan;
    CHECK(std::isnan(largest_difference(spoilt, zero)));
    CHECK(std::isnan(largest_difference(zero, spoilt)));
  }
}
