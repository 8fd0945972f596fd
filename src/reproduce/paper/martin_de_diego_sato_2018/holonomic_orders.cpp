// Martin de Diego and Sato 2018, Sect. 4.3: constraints on positions.
#include "holonomic_orders.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/report/order_report.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "lobatto_transmission.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

Vector gauss_sum(const Expr& factor, const std::vector<Constant>& weights,
                 const std::vector<Vector>& terms) {
  Vector sum = zeros(terms.front().size());
  for (std::size_t j = 0; j < terms.size(); ++j) sum = sum + (Expr(weights[j]) * factor) * terms[j];
  return sum;
}

/// The Gauss method with the constraint at its stages. None of them is the end of the step: there
/// the state is projected onto the constraint along the directions of its reactions.
Equations projected_gauss(const System& system, const State& before, Unknowns& unknowns,
                          const Expr& h, int stages) {
  const QuadratureRule rule = gauss_rule(stages);
  const auto a = collocation_coefficients(rule.nodes);
  const Expr rate = Expr(1.0) / h;
  std::vector<Vector> velocity, impulse, position, force;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const std::string index = std::to_string(i + 1);
    velocity.push_back(unknowns.vector("V_" + index, before.v));
    impulse.push_back(unknowns.multiplier("h*mu_" + index, zeros(system.holonomic_count())));
  }
  Equations result;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    position.push_back(before.q + gauss_sum(h, a[i], velocity));
    const Vector multiplier = rate * impulse[i];
    const Vector reaction = system.constraint_force(position[i], velocity[i], before.t, multiplier);
    force.push_back(system.lagrangian_gradient(position[i], velocity[i], before.t) + reaction);
    result.zero = concatenate({result.zero, rate * system.holonomic(position[i], before.t)});
  }
  const Matrix mass = system.mass(before.q);
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const Vector given = gauss_sum(h, a[i], force);
    result.zero = concatenate({result.zero, mass * (velocity[i] - before.v) - given});
  }
  const Vector arrived = before.q + gauss_sum(h, rule.weights, velocity);
  const Vector shift = unknowns.multiplier("nu", zeros(system.holonomic_count()));
  const Vector turn = unknowns.multiplier("h*mu", zeros(system.holonomic_count()));
  const Vector pull = system.constraint_force(arrived, before.v, before.t, shift);
  const Vector q = arrived + solve_linear(mass, pull);
  const Vector given = gauss_sum(h, rule.weights, force);
  const Vector stop = system.constraint_force(q, before.v, before.t, turn);
  const Vector v = before.v + solve_linear(mass, given + stop);
  result.zero = concatenate({result.zero, rate * system.holonomic(q, before.t)});
  result.constraint = system.constraint(q, v, before.t);
  result.after = {q, v};
  return result;
}

Method projected_gauss_method(int stages) {
  return Method(
      MethodDefinition{.name = std::string("projected-gauss"),
                       .facts = {.order = 2 * stages},
                       .requirements = {.handles_holonomic = true, .handles_nonholonomic = false},
                       .equations = [stages](const System& system, const State& before,
                                             Unknowns& unknowns, const Expr& h) {
                         return projected_gauss(system, before, unknowns, h, stages);
                       }});
}

/// Orders with two and three Gauss stages on the plans of the Lobatto pairs.
std::vector<OrderRow> gauss_orders(const std::string& study) {
  const Study file = read_study_file(find_study(study));
  std::vector<RunPlan> plans = plan_runs(file);
  plans.erase(plans.begin() + 2, plans.end());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const int stages = 2 + static_cast<int>(i);
    plans[i].method.label = "Gauss, " + stages_label(stages);
    plans[i].program = StepProgram::compile(plans[i].system, projected_gauss_method(stages),
                                            {.compensated = false, .wrap_angles = false});
  }
  return measure_orders(plans, {.runs = 5, .until = file.until, .extended = true});
}

}  // namespace

ExperimentOutcome holonomic_orders(const ReproductionEffort&) {
  const std::string study = "martin-de-diego-sato-2018/orders-holonomic";
  const std::vector<OrderRow> gauss = gauss_orders(study);
  std::vector<Evidence> lost;
  for (const OrderRow& row : gauss) {
    const double stages = 2.0 + static_cast<double>(&row - gauss.data());
    for (const auto& [quantity, series] : {std::pair("q", &row.q), {"v", &row.v}}) {
      lost.push_back({std::string("order of ") + quantity + ", " + row.plan.method.label +
                          ", spherical-pendulum",
                      series->measured ? series->slope : NAN, series->uncertainty, stages - 0.15,
                      stages + 0.15});
    }
  }
  return {{order_picture("Projected Gauss methods on the spherical pendulum", gauss)},
          {{"002-F.2", lost}}};
}

}  // namespace dalembert::reproduce
