// Jimenez and Scheurle 2015, Sect. 7: the midpoint rule at the old nodes, with a discrete
// constraint that keeps them on D.
#include "kept_constraint.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/measure/order.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double near_order_one = 0.15;

/// D_side of h L((q0 + q1)/2, (q1 - q0)/h).
Vector midpoint_momentum(const System& system, const Vector& middle, const Vector& velocity,
                         double side, const Expr& h) {
  return 0.5 * (h * system.lagrangian_gradient(middle, velocity)) +
         side * system.momentum(middle, velocity);
}

/// The two-step scheme of the midpoint rule: the state has the node and the velocity (q -
/// q_before)/h that led there, which satisfies the constraint at that very node.
Equations step_on_constraint(const System& system, const dalembert::State& before,
                             Unknowns& unknowns, const Expr& h) {
  const Vector lambda = unknowns.multiplier("lambda", before.lambda);
  const Vector next = unknowns.vector("increment", h * before.v);
  const Vector velocity = (1.0 / h) * next, arrived = before.q + next;
  const Vector left = before.q - 0.5 * (h * before.v), right = before.q + 0.5 * next;
  const Vector balance = midpoint_momentum(system, left, before.v, 1.0, h) +
                         midpoint_momentum(system, right, velocity, -1.0, h);
  return {.zero = balance + h * system.constraint_force(before.q, lambda),
          .constraint = system.constraint(arrived, velocity),
          .after = {arrived, velocity, lambda}};
}

Method midpoint_on_constraint() {
  return Method(MethodDefinition{.name = std::string("midpoint-on-constraint"),
                                 .facts = {.order = 1, .multiplier_order = 1},
                                 .equations = step_on_constraint});
}

/// What a step from D leaves of the constraint, the largest of 64.
double distance_from_constraint(const Problem& problem, const Method& method) {
  StepMap<Extended> map(problem.system, method, problem.system.default_parameters());
  BasicPoint<Extended> point = map.start(problem.start().q, problem.start().v);
  const Symbols s = problem.system.symbols();
  StateFunction<Extended> constraint(problem.system, s, problem.system.constraint(s.q, s.v, s.t));
  double largest = 0.0;
  for (int k = 0; k < 64; ++k) {
    if (!map.apply(point, Extended(1) / 64)) return NAN;
    for (const Extended& value : constraint(point.t, point.q, point.v))
      largest = numeric::larger(largest, std::fabs(static_cast<double>(value)));
  }
  return largest;
}

}  // namespace

ExperimentOutcome kept_constraint(const ReproductionEffort&) {
  const Problem problem = load_problem("witness-constant-mass");
  const Method method = midpoint_on_constraint();
  OrderRequest request;
  request.parameters = problem.system.default_parameters();
  request.q = problem.start().q;
  request.v = problem.start().v;
  request.first_steps = 16;
  const OrderMeasurement orders = measure_order<Extended>(problem.system, method, request);
  const auto first = [&](const std::string& of, const OrderSeries& series) {
    return Evidence{"order of " + of + ", beta = 1/2, old nodes with a discrete constraint there",
                    series.measured ? series.slope : NAN, series.uncertainty, 1.0 - near_order_one,
                    1.0 + near_order_one};
  };
  return {{},
          {{"004-A.7",
            {first("q", orders.q),
             first("v", orders.v),
             {"distance of these nodes from D in 64 steps of 1/64",
              distance_from_constraint(problem, method), 0.0, 0.0, 1e-30}}}}};
}

}  // namespace dalembert::reproduce
