// Problems under a constant force, where the steps of many methods are exact: what is left of their
// errors is round-off, which measures no order. What is wrong must show there as elsewhere.

#include <doctest/doctest.h>

#include "dalembert/measure/order.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "support/law.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// A point that falls with x_dot = 2 z_dot, from a place of coordinates up to `far`.
Witness falling(double far) {
  TextSystem text = particle_in_space("falling");
  text.potential = "z";
  text.constraints = {"x_dot - 2*z_dot"};
  text.frame = {{"2", "0", "1"}, {"0", "1", "0"}};
  return {define(text), {far, 0.1, 0.3 * far}, {2.0, 1.0, 1.0}, false, false};
}

/// The same with coefficients that have no end as binary numbers.
Witness falling_askew(double far) {
  TextSystem text = particle_in_space("falling-askew");
  text.kinetic = "(1.1*x_dot^2 + 1.7*y_dot^2 + 0.9*z_dot^2 + 0.2*x_dot*y_dot)/2";
  text.potential = "z/3 - 0.7*x + y/7";
  text.constraints = {"0.7*x_dot - 1.3*z_dot + y_dot/3"};
  text.frame = {{"13/7", "0", "1"}, {"0", "1", "10/39"}};
  return {define(text), {far, 0.1, 0.3 * far}, {1.3, 0.1, 0.7}, false, false};
}

/// The same with masses a million apart, nearly joined.
Witness falling_unevenly(double far) {
  TextSystem text = particle_in_space("falling-unevenly");
  text.kinetic = "(0.001*x_dot^2 + 1000*y_dot^2 + 1.3*z_dot^2 + 1.99*x_dot*y_dot)/2";
  text.potential = "z/3 - 0.7*x + 11*y/7";
  text.constraints = {"0.7*x_dot - 1.3*z_dot + y_dot/3"};
  text.frame = {{"13/7", "0", "1"}, {"0", "1", "10/39"}};
  return {define(text), {far, 0.1, 0.3 * far}, {1.3, 0.1, 0.7}, false, false};
}

/// reduced-gradient whose velocity gets a part of it too much in each step.
struct Inflated {
  double part;

  static MethodPage<Inflated> page() {
    const Method honest(ReducedGradient{});
    return {.name = "inflated",
            .facts = honest.facts(),
            .requirements = honest.requirements(),
            .equations = &Inflated::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    Equations step = Method(ReducedGradient{}).equations(s, a, u, h);
    step.after.v = (Expr(1.0) + Expr(part)) * step.after.v;
    return step;
  }
};

/// gauss with one stage and a part of the acceleration too much: of order zero.
struct Heavy {
  double part;

  static MethodPage<Heavy> page() {
    return {.name = "heavy",
            .facts = Method(Gauss{.stages = 1}).facts(),
            .equations = &Heavy::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector k = u.vector("k", a.v), l = u.vector("l", zeros(s.dof()));
    const Vector v = a.v + 0.5 * h * l, q = a.q + 0.5 * h * k;
    return {.zero = concatenate(
                {k - v, l - (Expr(1.0) + Expr(part)) * s.eliminated(q, v).acceleration}),
            .constraint = {},
            .after = {a.q + h * k, a.v + h * l}};
  }
};

std::vector<std::string> broken_orders(const Witness& witness, const Method& method) {
  const AuditProblem problem = audit_problem(witness);
  std::vector<std::string> names;
  for (const Breach& breach :
       breaches(OrderAudit<Extended>(problem).findings(problem, method), false))
    names.push_back(breach.property);
  return names;
}

}  // namespace

TEST_CASE("Round-off of exact steps is no broken order") {
  int measured = 0;
  for (const double far : {0.0, 1.0, 1e3, 1e7}) {
    for (const Witness& witness : {falling(far), falling_askew(far), falling_unevenly(far)}) {
      const AuditProblem problem = audit_problem(witness);
      const OrderAudit<Extended> audit(problem);
      for (const MethodSpec& spec : method_variants(Variants::defaults)) {
        if (!fits(spec, witness)) continue;
        ++measured;
        for (const Breach& breach : breaches(audit.findings(problem, make_method(spec)), false))
          FAIL_CHECK(witness.system.name(), " from ", far, ", ", label(spec), ": ", breach.property,
                     " ", breach.detail);
      }
    }
  }
  CHECK(measured > 150);
}

TEST_CASE("Round-off of large states, energies, constraints and forms breaks no promise") {
  TextSystem oscillators = particle_in_space("far oscillators");
  oscillators.potential = "(x^2 + 2*y^2 + 3*z^2)/2";
  oscillators.constraints = {"z_dot - y*x_dot/1e9"};
  oscillators.frame = {{"1", "0", "y/1e9"}, {"0", "1", "0"}};
  oscillators.reversal = std::vector<double>{1, 1, 1};
  TextSystem free = particle_in_plane("heavy and far");
  free.kinetic = "1e6*(x_dot^2 + (1 + x/3e6)^2*y_dot^2)/2";
  free.potential = "1e6*(x + y/3)";
  free.reversal = std::vector<double>{1, 1};
  TextSystem hurled = particle_in_plane("hurled");  // from rest
  hurled.potential = "1e9*(x/3 + y)";
  hurled.reversal = std::vector<double>{1, 1};
  int measured = 0;
  for (const Witness& witness :
       {Witness{define(oscillators), {1e9, 1e9, 1e9}, {1e9, 1e9, 1e9}, false, false},
        Witness{define(free), {1e6, 1e6}, {1, 1}, false, false},
        Witness{define(hurled), {0, 0}, {0, 0}, false, false}}) {
    for (const MethodSpec& spec : method_variants(Variants::defaults)) {
      if (!fits(spec, witness)) continue;
      ++measured;
      for (const Breach& breach : exactness_breaches(witness, make_method(spec)))
        FAIL_CHECK(witness.system.name(), ", ", label(spec), ": ", breach.property, " ",
                   breach.detail);
    }
  }
  CHECK(measured > 50);
  // What is lost there is lost: a part of 1e-12 of the velocity.
  const Witness far{define(oscillators), {1e9, 1e9, 1e9}, {1e9, 1e9, 1e9}, false, false};
  std::vector<std::string> broken;
  for (const Breach& breach : exactness_breaches(far, Inflated{1e-12}))
    broken.push_back(breach.property);
  CHECK(broken == std::vector<std::string>{"energy", "symmetry", "reversibility"});
}

TEST_CASE("Errors above round-off are broken orders where all other steps are exact") {
  const std::vector<std::string> local{"local order"};
  CHECK(broken_orders(falling(1.0), ReducedGradient{}).empty());
  CHECK(broken_orders(falling(1.0), Inflated{1e-23}) == local);
  CHECK(broken_orders(falling_askew(1.0), Inflated{1e-23}) == local);
  // Relative to the state, from which round-off is counted.
  CHECK(broken_orders(falling(1e7), Inflated{1e-16}) == local);
  CHECK(broken_orders(falling(1.0), Heavy{1e-9}) ==
        std::vector<std::string>{"order of q", "order of v", "local order"});
  CHECK(broken_orders(falling_askew(1e3), Heavy{1e-9}) ==
        std::vector<std::string>{"order of q", "order of v", "local order"});
}

TEST_CASE("Orders of one run are not measured where its steps are exact, in any arithmetic") {
  for (const double far : {1.0, 1e8}) {
    for (const Witness& witness : {falling(far), falling_askew(far)}) {
      const OrderRequest request{{}, witness.q, witness.v, 2.0, 20, 6};
      for (const Method& method : {Method(Leapfrog{}), Method(Gauss{.stages = 3})}) {
        for (const OrderMeasurement& found :
             {measure_order<double>(witness.system, method, request),
              measure_order<Extended>(witness.system, method, request)}) {
          CHECK(found.failure.empty());
          CHECK_FALSE(found.q.measured);
          CHECK_FALSE(found.v.measured);
          CHECK_FALSE(found.lambda.measured);
        }
      }
      const OrderMeasurement wrong = measure_order<double>(witness.system, Heavy{1e-3}, request);
      CHECK(judge_order(wrong.v, 2) == OrderVerdict::broken);
    }
  }
}
