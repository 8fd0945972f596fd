#include "dalembert/study/sensitivity/differentiate_runs.hpp"

#include <fmt/core.h>

#include "dalembert/audit/switches.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
namespace {

/// The steps after which the records stand that a run has at times of their own.
std::vector<std::uint64_t> record_nodes(const RunPlan& plan) {
  std::vector<std::uint64_t> nodes;
  const std::uint64_t count = plan.record_times.count(plan.steps, plan.step);
  for (std::uint64_t record = 1; record < count; ++record) {
    const std::uint64_t node = plan.record_times.passed_after(record, plan.step);
    if (!plan.record_times.has_node(node, plan.step))
      throw RequestError("a record at t = " + to_string(plan.record_time(record)) +
                         " lies between two steps of " + to_string(plan.step) +
                         "; derivatives are those of the steps: choose a multiple");
    nodes.push_back(node);
  }
  return nodes;
}

/// What expressions may name.
Scope quantity_scope(const System& system, const Symbols& s, const Vector& lambda) {
  Scope scope = motion_scope(system.configuration(), s);
  const auto add = [&](const std::string& name, const Expr& value) {
    scope.names.emplace(name, value);  // coordinates and parameters come first
  };
  const std::vector<std::string> names = system.multiplier_names();
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    add(names[i], lambda[i]);
    add("lambda_" + std::to_string(i + 1), lambda[i]);
  }
  add("energy", system.energy(s.q, s.v, s.t));
  for (const auto& [name, value] : system.mechanics().integrals)
    add(name, system.at({value}, s.q, s.v, s.t).front());
  const std::vector<Coordinate> stored = system.configuration().storage();
  for (std::size_t i = 0; i < stored.size(); ++i) add(stored[i].name, s.q[i]);
  if (system.is_skew_gradient()) return scope;
  const std::vector<std::string> columns = system.configuration().velocity_columns();
  for (std::size_t i = 0; i < columns.size(); ++i) add(columns[i], s.v[i]);
  return scope;
}

}  // namespace

Problem problem_of_plan(const RunPlan& plan) {
  return {plan.system,
          {Start{.name = plan.start, .q = plan.q, .v = plan.v, .lambda = plan.lambda}},
          plan.events};
}

NamedValues parameters_of_plan(const RunPlan& plan) {
  NamedValues values;
  const std::vector<Parameter>& parameters = plan.system.description().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    values[parameters[i].name] = plan.parameters[i];
  return values;
}

SensitivityMode sensitivity_mode(const std::string& name) {
  return name == "tangent"   ? SensitivityMode::tangent
         : name == "adjoint" ? SensitivityMode::adjoint
                             : SensitivityMode::automatic;
}

SensitiveQuantity sensitive_quantity(const System& system, const DocumentNode& node,
                                     bool with_multipliers) {
  const std::string name = node.is_text() ? as_text(node) : to_string(as_number(node));
  return {name, [=](const Symbols& s, const Vector& lambda) {
            const Vector named = with_multipliers ? lambda : Vector{};
            return parse_expression(node, quantity_scope(system, s, named));
          }};
}

std::vector<SensitiveQuantity> sensitive_quantities(const System& system,
                                                    const std::vector<std::string>& of,
                                                    const std::string& key, bool with_multipliers) {
  std::vector<SensitiveQuantity> result;
  for (const std::string& text : of)
    result.push_back(
        sensitive_quantity(system, {text, Place{"--" + key, 0}, key}, with_multipliers));
  return result;
}

void refuse_jumps(const RunPlan& plan) {
  const auto found =
      first_jump({plan.system, plan.parameters, plan.q, plan.v}, plan.end(), plan.step);
  if (!found) return;
  throw RequestError(fmt::format(
      "the motion crosses a switch at t = {:.6g}, where the {} of \"{}\" has pieces and the rates "
      "jump: derivatives along the steps miss what that adds; end the run before, or make the "
      "equations smooth there",
      found->t, found->part, plan.system.name()));
}

Sensitivity differentiate_run(const RunPlan& plan, const SensitivityChoice& choice) {
  refuse_jumps(plan);
  SensitivityOptions options{.step = plan.step};
  if (plan.last_step > 0.0) {
    options.until = plan.end();
  } else {
    options.steps = plan.steps;
  }
  if (choice.with_records && plan.record_times.are_given()) {
    options.record_after = record_nodes(plan);
  } else if (choice.with_records) {
    options.record_every = plan.record_every;
  }
  options.parameters = parameters_of_plan(plan);
  options.compensated = plan.program->options().compensated;
  options.by = choice.by;
  // Multipliers of constraints that are kept are not those that records show.
  options.of = sensitive_quantities(plan.system, choice.of, "of", plan.redundancy == nullptr);
  options.mode = choice.mode;
  options.cancelled = choice.cancelled;
  options.steps_done = choice.steps_done;
  return sensitivity(problem_of_plan(plan), make_method(plan.method.spec), {}, options);
}

LyapunovSpectrum lyapunov_of_run(const RunPlan& plan, LyapunovOptions options) {
  refuse_jumps(plan);
  options.step = plan.step;
  options.until = plan.end();
  options.parameters = parameters_of_plan(plan);
  options.compensated = plan.program->options().compensated;
  return lyapunov_exponents(problem_of_plan(plan), make_method(plan.method.spec), {}, options);
}

}  // namespace dalembert::study
