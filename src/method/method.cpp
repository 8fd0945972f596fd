#include "dalembert/method/method.hpp"

#include <algorithm>

#include "dalembert/error.hpp"

namespace dalembert {
namespace {

void check_definition(const MethodDefinition& definition) {
  const std::string& name = definition.name;
  if (name.empty()) throw RequestError("a method needs a name");
  const auto refuse = [&](const std::string& problem) {
    throw RequestError("method \"" + name + "\" " + problem);
  };
  if (!definition.equations.get()) refuse("has no equations");
  if (definition.facts.order < 1)
    refuse("promises order " + std::to_string(definition.facts.order) + "; it must be at least 1");
  for (const OptionInfo& option : definition.options) {
    const auto value = definition.values.find(option.name);
    if (value == definition.values.end()) refuse("gives option \"" + option.name + "\" no value");
    check_option(name, option, value->second);
  }
}

/// Throws unless a part of the new state has the size that was announced.
void check_size(const MethodDefinition& definition, const System& system, const std::string& part,
                std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw RequestError("the step of method \"" + definition.name.get() + "\" on system \"" +
                     system.name() + "\" ends with " + std::to_string(found) + " entries of " +
                     part + "; it must have " + std::to_string(expected));
}

/// Throws unless the parts of a stage iteration have sizes that fit one another.
void check_stages(const MethodDefinition& method, const System& system,
                  const StageIteration& stages) {
  const auto check = [&](const std::string& part, std::size_t found, std::size_t expected) {
    if (found == expected) return;
    throw RequestError("the stages of method \"" + method.name.get() + "\" on system \"" +
                       system.name() + "\" have " + std::to_string(found) + " entries of " + part +
                       "; they must have " + std::to_string(expected));
  };
  const auto check_rows = [&](const std::string& part,
                              const std::vector<std::vector<Constant>>& rows, std::size_t count,
                              std::size_t length) {
    check(part, rows.size(), count);
    for (const std::vector<Constant>& row : rows) check("a row of " + part, row.size(), length);
  };
  const std::size_t n = stages.state.size(), s = stages.nodes.size();
  const StageMeans& means = stages.means;
  check("the rate", stages.rate.size(), n);
  check("the state before", stages.before.size(), n);
  check_rows("the weights", stages.weights, s, s);
  check("the rates", stages.rates.size(), s);
  for (const Vector& rates : stages.rates) check("the rates of a stage", rates.size(), n);
  if (!stages.end.empty()) {
    check("the end", stages.end.size(), stages.positions);
    check("the weights of the end", stages.end_weights.size(), s);
  }
  check("the function that has means", means.function.size(), means.means.size());
  check_rows("the path to its nodes", means.path, means.path.size(), s);
  check_rows("the weights of its means", means.weights, means.means.empty() ? 0 : s,
             means.path.size());
}

}  // namespace

Method::Method(MethodDefinition definition) {
  check_definition(definition);
  definition_ = std::make_shared<const MethodDefinition>(std::move(definition));
}

Equations Method::equations(const System& system, const State& before, Unknowns& unknowns,
                            const Expr& h) const {
  Equations equations = definition_->equations.get()(system, before, unknowns, h);
  const State& after = equations.after;
  const auto check = [&](const std::string& part, std::size_t found, std::size_t expected) {
    check_size(*definition_, system, part, found, expected);
  };
  check("q", after.q.size(), before.q.size());
  check("v", after.v.size(), before.v.size());
  const std::size_t multipliers = system.constraint_count();
  for (const Vector& change : {equations.velocity_change, equations.velocity_rest}) {
    if (!change.empty()) check("the change of v", change.size(), before.v.size());
  }
  if (!after.lambda.empty()) check("lambda", after.lambda.size(), multipliers);
  check("carried", after.carried.size(), carried_names(system).size());
  const std::size_t nodes = interpolation_nodes().size();
  const std::size_t width = after.q.size() + after.v.size() + after.lambda.size();
  check("dense", after.dense.size(), nodes > 2 ? (nodes - 2) * width : 0);
  if (equations.stages) check_stages(*definition_, system, *equations.stages);
  if (tolerance() > 0.0 && after.error_estimate.empty()) {
    throw RequestError("method \"" + name() +
                       "\" has a tolerance and gives no estimate of the error of its step");
  }
  return equations;
}

std::vector<SplittingPiece> Method::pieces(const System& system, const State& before) const {
  return is_splitting() ? definition_->pieces(system, before) : std::vector<SplittingPiece>{};
}

std::vector<std::string> Method::carried_names(const System& system) const {
  return definition_->carries ? definition_->carries(system) : std::vector<std::string>{};
}

Vector Method::carried_start(const System& system, const State& start) const {
  const std::size_t count = carried_names(system).size();
  if (!definition_->start) return zeros(count);
  Vector values = definition_->start(system, start);
  check_size(*definition_, system, "carried at the start", values.size(), count);
  return values;
}

std::optional<VolumeFormula> Method::volume(const System& system, const State& before,
                                            const State& after, const Expr& h) const {
  return definition_->volume ? definition_->volume(system, before, after, h) : std::nullopt;
}

std::optional<Expr> Method::discrete_energy(const System& system, const State& state,
                                            const Expr& h) const {
  return definition_->discrete_energy ? definition_->discrete_energy(system, state, h)
                                      : std::nullopt;
}

std::optional<std::string> Method::misfit(const System& system) const {
  if (const auto problem = unmet(requirements(), system)) {
    return "method \"" + name() + "\" cannot be used on system \"" + system.name() +
           "\": " + *problem;
  }
  return definition_->misfit ? definition_->misfit(system) : std::nullopt;
}

std::optional<std::string> Method::start_misfit(std::span<const double> v) const {
  const std::string& reason = definition_->requirements.at_rest;
  const bool moves = std::ranges::any_of(v, [](double rate) { return rate != 0.0; });
  if (reason.empty() || moves || v.empty()) return std::nullopt;
  return "method \"" + name() + "\" cannot start at rest: " + reason;
}

}  // namespace dalembert
