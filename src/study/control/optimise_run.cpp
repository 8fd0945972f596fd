#include "dalembert/study/control/optimise_run.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"

namespace dalembert::study {
namespace {

std::size_t place_of_parameter(const System& system, const std::string& name) {
  const std::vector<Parameter>& parameters = system.description().parameters;
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return static_cast<std::size_t>(found - parameters.begin());
}

/// One value for each step.
const DocumentNode::Array& listed_controls(const DocumentNode& node, const RunPlan& plan) {
  if (node.array().size() != plan.steps)
    node.refuse("has " + std::to_string(node.array().size()) + " values; the motion has " +
                std::to_string(plan.steps) + " steps");
  return node.array();
}

/// Controls that are expressions of time, in the middle of each step; others stay what they are.
std::vector<double> guessed_controls(const RunPlan& plan, const ControlEntry& entry) {
  const std::vector<Parameter>& parameters = plan.system.description().parameters;
  std::vector<double> result;
  for (std::uint64_t k = 0; k < plan.steps; ++k) {
    Scope scope;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      scope.names.emplace(parameters[i].name, Expr(plan.parameters[i]));
    scope.names.insert_or_assign("t", Expr((static_cast<double>(k) + 0.5) * plan.step));
    for (const std::string& name : entry.by) {
      const auto found =
          std::ranges::find(entry.guess, name, &std::pair<std::string, DocumentNode>::first);
      if (found == entry.guess.end()) {
        result.push_back(plan.parameters[place_of_parameter(plan.system, name)]);
      } else if (found->second.is_array()) {
        result.push_back(parse_constant(listed_controls(found->second, plan)[k], scope));
      } else {
        result.push_back(parse_constant(found->second, scope));
      }
    }
  }
  return result;
}

}  // namespace

const char* extremum_word(Extremum extremum) {
  return extremum == Extremum::minimum  ? "minimum"
         : extremum == Extremum::family ? "family"
                                        : "saddle";
}

OptimalControl optimise_run(const RunPlan& plan, std::atomic<bool>* cancelled,
                            std::atomic<std::uint64_t>* trials_done) {
  if (plan.control == nullptr)
    throw RequestError("the study has no table [control], which says what is to be least");
  const ControlEntry& entry = plan.control->entry;
  ControlOptions options{.step = plan.step};
  if (plan.last_step > 0.0) {
    options.until = plan.end();
  } else {
    options.steps = plan.steps;
  }
  options.parameters = parameters_of_plan(plan);
  options.by = entry.by;
  if (entry.cost) options.cost = sensitive_quantity(plan.system, *entry.cost);
  if (entry.end_cost) options.end_cost = sensitive_quantity(plan.system, *entry.end_cost);
  if (plan.control->end) options.end = *plan.control->end;
  for (const DocumentNode& condition : entry.conditions)
    options.end_conditions.push_back(sensitive_quantity(plan.system, condition));
  if (!entry.guess.empty()) options.guesses.push_back(guessed_controls(plan, entry));
  options.trials = entry.trials;
  options.control_scale = entry.scale;
  options.seed = entry.seed;
  options.iterations = entry.iterations;
  options.cancelled = cancelled;
  options.trials_done = trials_done;
  try {
    return optimal_control(problem_of_plan(plan), make_method(plan.method.spec), {}, options);
  } catch (const RequestError& error) {
    throw error.at(entry.place.text());
  }
}

RunPlan with_control_columns(const RunPlan& plan) {
  RunPlan result = plan;
  RecordColumns& columns = result.columns;
  const std::size_t kept = columns.integrals_begin() + plan.system.mechanics().integrals.size();
  columns.names.resize(kept);
  columns.contact_count = 0;
  result.quantities.clear();
  result.contacts = {};
  for (const std::string& name : plan.control->entry.by) {
    // A parameter may have the name of a coordinate.
    const bool is_taken = std::ranges::find(columns.names, name) != columns.names.end();
    columns.names.push_back(is_taken ? "parameters." + name : name);
  }
  return result;
}

std::vector<double> control_rows(const RunPlan& plan, const OptimalControl& result) {
  const RecordColumns& columns = plan.columns;
  const std::size_t n = columns.q_count, m = columns.velocity_count, count = result.by.size(),
                    integrals = plan.system.mechanics().integrals.size();
  std::vector<double> parameters = plan.parameters, rows;
  for (std::size_t k = 0; k < result.size(); ++k) {
    const std::size_t step = k + 1 < result.size() ? k : k - 1;
    const std::span<const double> q = std::span(result.q).subspan(k * n, n),
                                  v = std::span(result.v).subspan(k * m, m),
                                  c = std::span(result.controls).subspan(step * count, count);
    for (std::size_t j = 0; j < count; ++j)
      parameters[place_of_parameter(plan.system, result.by[j])] = c[j];
    Evaluator evaluator(plan.system, parameters);
    std::vector<double> row{result.t[k]}, lambda(columns.lambda_count), values(integrals);
    row.insert(row.end(), q.begin(), q.end());
    row.insert(row.end(), v.begin(), v.end());
    evaluator.multiplier(result.t[k], q, v, lambda);
    row.insert(row.end(), lambda.begin(), lambda.end());
    row.push_back(evaluator.energy(result.t[k], q, v));
    row.push_back(evaluator.constraint_error(result.t[k], q, v));
    evaluator.integrals(result.t[k], q, v, values);
    row.insert(row.end(), values.begin(), values.end());
    row.insert(row.end(), c.begin(), c.end());
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

}  // namespace dalembert::study
