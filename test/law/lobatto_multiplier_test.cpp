// The multipliers of lobatto beside the carried one: reflected at that of the motion, and closed.

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/law.hpp"
#include "support/small_systems.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Multiplier = Lobatto::Multiplier;

/// The reflection with an even number of stages, which the library refuses: an error in the
/// multiplier, which would change its sign of itself, keeps it and adds up.
struct TurnedEven {
  static MethodPage<TurnedEven> page() {
    return {.name = "turned-even",
            .facts = Lobatto{.stages = 2, .multiplier = Multiplier::turned}.facts(),
            .requirements = Method(Lobatto{}).requirements(),
            .equations = &TurnedEven::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    return Lobatto{.stages = 2, .multiplier = Multiplier::turned}.equations(s, a, u, h);
  }
};

/// The same steps, said to turn round in time the other way.
Method with_other_turn(const Lobatto& honest) {
  MethodDefinition definition = Method(honest).definition();
  definition.facts.reflects_multiplier = !definition.facts.reflects_multiplier;
  return Method(definition);
}

/// The properties that break, each followed by a semicolon.
std::string broken(const Witness& witness, const Method& method) {
  const AuditProblem problem = audit_problem(witness);
  std::string names;
  for (const Breach& breach : exactness_breaches(witness, method)) names += breach.property + ";";
  const OrderAudit<Extended> orders(problem);
  for (const Breach& breach : breaches(orders.findings(problem, method), false))
    names += breach.property + ";";
  return names;
}

/// How far the multiplier is from that of the motion: the most in the first tenth of a run and in
/// the rest of it.
std::pair<double, double> multiplier_errors(const Method& method, double until) {
  const SmallSystem cvt = pendulum_cvt();
  const std::vector<double> parameters{0.5};
  Stepper stepper(StepProgram::compile(cvt.system, method, {.compensated = true}), 0.1, parameters);
  Evaluator evaluator(cvt.system, parameters);
  const std::vector<double> v{0.0, 0.0, 2.82842712};
  Point point = start_point(stepper, evaluator, cvt.q, v);
  const auto steps = static_cast<std::uint64_t>(until / 0.1);
  std::pair<double, double> largest{0.0, 0.0};
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = steps}, [&](const Sample& sample) {
        std::vector<double> exact(1);
        evaluator.multiplier(sample.t, sample.point->q, sample.point->v, exact);
        double& entry = 10 * sample.step <= steps ? largest.first : largest.second;
        entry = numeric::larger(entry, std::fabs(sample.point->lambda[0] - exact[0]));
        return true;
      });
  CHECK_MESSAGE(report.status == RunReport::Status::ok, report.message);
  return largest;
}

}  // namespace

TEST_CASE("Turned and closed multipliers have the promised orders for all numbers of stages") {
  std::map<std::string, int> exactly;
  for (const Witness& witness : {witness_constant_mass(), witness_coupled_mass()}) {
    const AuditProblem problem = audit_problem(witness);
    const OrderAudit<Extended> orders(problem);
    for (const Lobatto& lobatto : {Lobatto{.stages = 2, .multiplier = Multiplier::closed},
                                   Lobatto{.stages = 4, .multiplier = Multiplier::closed},
                                   Lobatto{.stages = 5, .multiplier = Multiplier::closed},
                                   Lobatto{.stages = 5, .multiplier = Multiplier::turned}}) {
      const Method method(lobatto);
      for (const AuditFinding& finding : orders.findings(problem, method)) {
        const std::string which = label(method.spec()) + ", " + finding.property;
        CHECK_MESSAGE(
            (finding.verdict == AuditVerdict::kept || finding.verdict == AuditVerdict::surplus),
            witness.system.name(), ", ", which, " ", finding.value_text(), " for ",
            finding.promise_text());
        exactly[which] += finding.verdict == AuditVerdict::kept;
      }
    }
  }
  for (const auto& entry : exactly)
    CHECK_MESSAGE(entry.second > 0, entry.first, " is higher than promised on both");
}

TEST_CASE("The law knows how a carried multiplier turns round in time") {
  const Witness witness = witness_coupled_mass();
  const std::string reversed = "symmetry;reversibility;";
  const Lobatto turned{.multiplier = Multiplier::turned};
  CHECK(broken(witness, turned) == "");
  CHECK(broken(witness, with_other_turn(turned)) == reversed);
  CHECK(broken(witness, with_other_turn(Lobatto{.multiplier = Multiplier::carried})) == reversed);
  CHECK(broken(witness, TurnedEven{}) == "order of lambda;");
}

TEST_CASE("The turned multiplier stays near that of the motion where the carried one leaves it") {
  const auto [turned_first, turned] =
      multiplier_errors(Lobatto{.multiplier = Multiplier::turned}, 2000.0);
  CHECK(turned < 1.5 * turned_first);
  const auto [carried_first, carried] =
      multiplier_errors(Lobatto{.multiplier = Multiplier::carried}, 2000.0);
  CHECK(carried > 3.0 * carried_first);
  CHECK(carried > 10.0 * turned);
  // With an even number it is the carried one that stays.
  const auto [even_first, even] =
      multiplier_errors(Lobatto{.stages = 2, .multiplier = Multiplier::carried}, 2000.0);
  CHECK(even < 1.5 * even_first);
  CHECK(multiplier_errors(TurnedEven{}, 2000.0).second > 4.0 * even);
}

TEST_CASE("Compositions of the closed multiplier reach orders 4 and 6 from two stages") {
  const Witness witness = witness_coupled_mass();
  const Orders orders(witness);
  for (const Scheme scheme : {Scheme::triple_jump, Scheme::kahan_li_6}) {
    const Compose method{.base = Lobatto{.stages = 2, .multiplier = Multiplier::closed},
                         .scheme = scheme};
    CHECK(exactness_breaches(witness, method).empty());
    for (const MeasuredOrder& order : orders.of(method)) {
      if (order.what == "lambda") continue;  // that of the last substep
      CHECK_MESSAGE(order.verdict() == OrderVerdict::holds, order.what, " ", order.text());
    }
  }
}
