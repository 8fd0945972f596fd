// Martin de Diego and Sato 2018, Sect. 5.1 and App. B: the accuracy of the stages.
#include "stage_orders.hpp"

#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/report/order_report.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "lobatto_transmission.hpp"
#include "reproduce/experiment.hpp"
#include "stage_lobatto.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Values = std::vector<Extended>;
constexpr int halvings = 8;
constexpr double fraction = 0.3;  // of the step, where polynomials are looked at
constexpr double round_off_floor = 1e-29;

/// Largest errors within one step, for a step and its halves.
struct StageErrors {
  std::vector<double> position, stage_velocity, node_velocity;  ///< at the inner stages
  /// Between the stages: positions, stage velocities, node velocities and their slopes.
  std::vector<double> path, stage_polynomial, node_polynomial, node_slope;
  std::vector<double> end, multiplier;  ///< (q, v) and lambda after the step
};

/// The exact solution of a system from a start.
class ExactMotion {
 public:
  ExactMotion(const System& system, Values q, Values v)
      : flow_(system), q_(std::move(q)), v_(std::move(v)) {}

  struct State {
    Values q, v, acceleration;
  };
  State at(const Extended& t) {
    State state{q_, v_, Values(v_.size())};
    Extended time(0);
    flow_.restart();
    if (!flow_.advance(time, state.q, state.v, t)) state.q.assign(q_.size(), Extended(NAN));
    Values slope(q_.size() + v_.size());
    flow_.slope(time, state.q, state.v, slope);
    state.acceleration.assign(slope.begin() + static_cast<std::ptrdiff_t>(q_.size()), slope.end());
    return state;
  }

 private:
  ExactFlow<Extended> flow_;
  Values q_, v_;
};

/// Reads the reported values in the order in which they stand.
class ReportedValues {
 public:
  ReportedValues(const Values& values, std::size_t dof) : values_(values), dof_(dof) {}
  double error_of_next(const Values& exact) {
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(next_);
    next_ += dof_;
    return largest_difference(Values(begin, begin + static_cast<std::ptrdiff_t>(dof_)), exact);
  }

 private:
  const Values& values_;
  std::size_t dof_, next_ = 0;
};

StageErrors stage_errors(const Problem& problem, int s) {
  const System& system = problem.system;
  StepMap<Extended> map(system, stage_lobatto(s, ConstrainedVelocities::nodes, fraction), {});
  const BasicPoint<Extended> start = map.start(problem.start().q, problem.start().v);
  ExactMotion exact(system, start.q, start.v);
  ConsistentStart<Extended> motion(system);
  const QuadratureRule rule = lobatto_rule(s);
  StageErrors errors;
  Extended h = Extended(1) / 4;
  for (int k = 0; k < halvings; ++k, h /= 2) {
    BasicPoint<Extended> point = start;
    if (!map.apply(point, h)) return {};
    ReportedValues values(point.carried, system.dof());
    double q = 0.0, v = 0.0, w = 0.0;
    for (std::size_t i = 1; i + 1 < rule.nodes.size(); ++i) {
      const auto state = exact.at(rule.nodes[i].as<Extended>() * h);
      q = numeric::larger(q, values.error_of_next(state.q));
      v = numeric::larger(v, values.error_of_next(state.v));
      w = numeric::larger(w, values.error_of_next(state.v));
    }
    errors.position.push_back(q);
    errors.stage_velocity.push_back(v);
    errors.node_velocity.push_back(w);
    const auto between = exact.at(Extended(fraction) * h), end = exact.at(h);
    errors.path.push_back(values.error_of_next(between.q));
    errors.stage_polynomial.push_back(values.error_of_next(between.v));
    errors.node_polynomial.push_back(values.error_of_next(between.v));
    errors.node_slope.push_back(values.error_of_next(between.acceleration));
    errors.end.push_back(
        numeric::larger(largest_difference(point.q, end.q), largest_difference(point.v, end.v)));
    errors.multiplier.push_back(
        largest_difference(point.lambda, motion.multiplier(h, end.q, end.v)));
  }
  return errors;
}

/// A power of h as fitted over halvings of the step.
constexpr double power_tolerance = 0.3;

Evidence power_of_step(const std::string& what, const std::vector<double>& errors, double expected,
                       EvidenceRole role = EvidenceRole::both) {
  const OrderSeries series = fit_order(errors, round_off_floor);
  return {"power of h in the error of " + what,
          series.measured ? series.slope : NAN,
          series.uncertainty,
          expected - power_tolerance,
          expected + power_tolerance,
          role};
}

/// The orders of the method with the constraint on stage velocities, on a published study's plans.
std::vector<OrderRow> orders_on_stage_velocities() {
  const Study file = read_study_file(find_study("martin-de-diego-sato-2018/orders"));
  std::vector<RunPlan> plans = plan_runs(file);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].program = StepProgram::compile(
        plans[i].system,
        stage_lobatto(least_stages + static_cast<int>(i), ConstrainedVelocities::stages),
        {.compensated = false, .wrap_angles = false});
  }
  return measure_orders(plans, {.runs = 5, .until = file.until, .extended = true});
}

Evidence order_on_stages(const std::string& quantity, const OrderRow& row,
                         const OrderSeries& series, double order) {
  return {
      "order of " + quantity + " with the constraint on stage velocities, " + row.plan.method.label,
      series.measured ? series.slope : NAN, series.uncertainty, order - 0.15, order + 0.15};
}

/// Orders are even, and 2 less than those of the method for three and four stages, 4 for five.
ClaimFinding order_is_lost(const std::vector<OrderRow>& rows) {
  std::vector<Evidence> evidence;
  for (const OrderRow& row : rows) {
    const int s = least_stages + static_cast<int>(&row - rows.data());
    const int order = s % 2 == 0 ? s : s - 1;
    evidence.push_back(order_on_stages("q", row, row.q, order));
    evidence.push_back(order_on_stages("v", row, row.v, order));
    if (s > 2) evidence.push_back(order_on_stages("lambda", row, row.lambda, order - 2));
  }
  return {"002-E.1", evidence};
}

/// What the stages of one method on one problem say about the claims.
struct StageFindings {
  std::vector<Evidence> inner, polynomial, compared, local;

  void add(const Problem& problem, int s) {
    const StageErrors errors = stage_errors(problem, s);
    const std::string of = ", " + problem.system.name() + ", " + stages_label(s);
    inner.push_back(power_of_step("the positions at inner stages" + of, errors.position, s + 1));
    inner.push_back(power_of_step("the stage velocities there" + of, errors.stage_velocity, s - 1));
    inner.push_back(power_of_step("the velocities of the IIIA tableau there" + of,
                                  errors.node_velocity, s + 1));
    polynomial.push_back(power_of_step("the velocities of the IIIA tableau between the stages" + of,
                                       errors.node_polynomial, s + 1));
    polynomial.push_back(power_of_step("their slope" + of, errors.node_slope, s));
    Evidence path = power_of_step("the positions between the stages" + of, errors.path, s + 1,
                                  EvidenceRole::published);
    path.most = INFINITY;  // as good as the velocities, or better
    compared.push_back(path);
    compared.push_back(power_of_step("the velocities of the IIIA tableau between the stages" + of,
                                     errors.node_polynomial, s + 1));
    compared.push_back(power_of_step("the stage velocities between the stages" + of,
                                     errors.stage_polynomial, s - 1));
    local.push_back(
        power_of_step("positions and velocities after a step" + of, errors.end, 2 * s - 1));
    if (problem.system.constraint_count() > 0)
      local.push_back(power_of_step("multipliers after a step" + of, errors.multiplier, s));
  }
};

}  // namespace

ExperimentOutcome stage_orders(const ReproductionEffort&) {
  const std::vector<OrderRow> rows = orders_on_stage_velocities();
  StageFindings findings;
  for (const char* name : {"henon-heiles", "particle-harmonic", "witness-constant-mass"}) {
    for (int s = 3; s <= 5; ++s) findings.add(load_problem(name), s);
  }
  return {{order_picture("Orders with the constraint on the stage velocities, particle in a "
                         "harmonic potential",
                         rows)},
          {order_is_lost(rows),
           {"002-E.2", findings.inner},
           {"002-E.3", findings.polynomial},
           {"002-E.4", findings.compared},
           {"002-E.5", findings.local}}};
}

}  // namespace dalembert::reproduce
