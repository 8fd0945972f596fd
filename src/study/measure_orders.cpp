#include "dalembert/study/measure_orders.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/audit/switches.hpp"
#include "dalembert/measure/order.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/study/pieces_text.hpp"
#include "dalembert/study/run_plan.hpp"
#include "extended.hpp"

namespace dalembert::study {
namespace {

constexpr std::uint64_t most_coarse_steps = 20;

std::uint64_t coarse_steps(const RunPlan& plan, const OrderOptions& options) {
  if (!options.until) return std::min<std::uint64_t>(plan.steps, most_coarse_steps);
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::llround(*options.until / plan.step)));
}

/// Why the orders of a run's methods mean nothing; empty if they do.
std::string reason_against(const RunPlan& plan, const OrderOptions& options, double until) {
  if (plan.has_acting_events())
    return "orders are measured along smooth motions, and events change the state here";
  const AuditProblem problem{plan.system, plan.parameters, plan.q, plan.v};
  const std::optional<Switch> found = first_switch(problem, until, plan.step);
  if (!found) return "";
  const std::string text = pieces_text(options.problem ? *options.problem : ProblemFile{}, *found);
  return found->t > 0.0 ? text + "; an earlier end (--until) may lie before it" : text;
}

OrderRow measure(const RunPlan& plan, const OrderOptions& options) {
  const std::uint64_t steps = coarse_steps(plan, options);
  OrderRow row{.plan = plan};
  row.recomputed_multiplier = options.recomputed_multiplier;
  const Facts facts = plan.program->method().facts();
  row.lambda_promised = options.recomputed_multiplier
                            ? facts.order.get()
                            : multiplier_order(facts, plan.system.traits());
  row.until = options.until.value_or(static_cast<double>(steps) * plan.step);
  row.unmeasured = reason_against(plan, options, row.until);
  if (!row.unmeasured.empty()) return row;
  const OrderRequest request{.parameters = plan.parameters,
                             .q = plan.q,
                             .v = plan.v,
                             .until = row.until,
                             .first_steps = steps,
                             .runs = options.runs,
                             .recomputed_multiplier = options.recomputed_multiplier,
                             .cancelled = options.cancelled};
  const Method& method = plan.program->method();
  const OrderMeasurement result = options.extended
                                      ? measure_order<Extended>(plan.system, method, request)
                                      : measure_order<double>(plan.system, method, request);
  row.steps = result.steps;
  row.q = result.q;
  row.v = result.v;
  row.lambda = result.lambda;
  row.reference_error = result.reference_error;
  row.failure = result.failure;
  row.q_verdict = judge_order(row.q, facts.order);
  row.v_verdict = judge_order(row.v, facts.order);
  row.lambda_verdict = judge_order(row.lambda, row.lambda_promised);
  return row;
}

}  // namespace

bool OrderRow::is_broken() const {
  return q_verdict == OrderVerdict::broken || v_verdict == OrderVerdict::broken ||
         lambda_verdict == OrderVerdict::broken;
}

std::string extended_precision_name() { return extended_name; }

std::vector<OrderRow> measure_orders(const std::vector<RunPlan>& plans,
                                     const OrderOptions& options) {
  double largest = 0.0;
  for (const RunPlan& plan : plans) largest = numeric::larger(largest, plan.step);
  std::vector<OrderRow> rows;
  for (const RunPlan& plan : plans) {
    if (options.cancelled != nullptr && *options.cancelled) break;
    if (plan.step == largest) rows.push_back(measure(plan, options));
  }
  return rows;
}

}  // namespace dalembert::study
