#include "dalembert/sensitivity/variation.hpp"

#include <functional>
#include <unordered_map>

#include "dalembert/expression/derivative.hpp"

namespace dalembert {

VariationLayout::VariationLayout(const System& system, const Method& method,
                                 const Variation& variation)
    : own(method.carried_names(system).size()) {
  q = own;
  v = q + system.storage_count();
  lambda = v + system.velocity_count();
  carried = lambda + system.constraint_count();
  parameters = carried + own;
  time = parameters + variation.parameters.size();
  step = time + 1;
  end = variation.step ? step + 1 : time;
}

namespace {

/// A step of the method itself, its arguments, and what stands for it in the tangent or adjoint.
struct VariedStep {
  VariationLayout layout;
  Equations equations;
  Vector unknowns;   ///< all symbols
  Vector arguments;  ///< x: q, v, lambda, carried, parameters, and t and h
  Vector beside;     ///< the numbers beside them, as many
  Vector after;      ///< A: q, v, lambda, carried
};

VariedStep step_of(const Method& method, const Variation& variation, const System& system,
                   const State& before, Unknowns& unknowns, const Expr& h) {
  VariedStep step;
  VariationLayout& layout = step.layout = {system, method, variation};
  State own = before;
  own.carried = slice(before.carried, 0, layout.own);
  step.equations = method.equations(system, own, unknowns, h);
  for (const Unknowns::Group& group : unknowns.groups())
    step.unknowns = concatenate({step.unknowns, group.symbols});
  step.arguments = concatenate({own.q, own.v, own.lambda, own.carried});
  const Symbols symbols = system.symbols(before.t);
  for (const std::size_t parameter : variation.parameters)
    step.arguments.push_back(symbols.parameter_list.at(parameter));
  if (variation.step) step.arguments = concatenate({step.arguments, Vector{before.t, h}});
  step.beside = slice(before.carried, layout.q, layout.size());
  State& after = step.equations.after;
  after.dense.clear();
  const Vector multipliers = after.lambda.empty() ? zeros(system.constraint_count()) : after.lambda;
  // As the step ends: on the groups.
  const Vector q = system.configuration().normalised(after.q);
  step.after = concatenate({q, after.v, multipliers, after.carried});
  return step;
}

/// How what is known at the start of a step changes.
Expr change_of(const Expr& known, const VariedStep& step) {
  return forward_derivative({known}, step.arguments, step.beside).front();
}

/// The tangents of the unknowns, in their order. Those of rates that sweeps find are rates
/// themselves: k' + (h'/h) k in the place of k', with the step h of the stages, so that those of
/// the tangent are collocated like those of the state, x' + h sum_j a_ij (k_j' + (h'/h) k_j).
class TangentUnknowns {
 public:
  TangentUnknowns(const Vector& symbols, Unknowns& unknowns, const Expr& scaled_step,
                  const std::optional<StageIteration>& stages)
      : symbols_(unknowns.whole("tangent", zeros(symbols.size()))), direction_(symbols_) {
    for (std::size_t u = 0; u < symbols.size(); ++u) place_.emplace(symbols[u].id(), u);
    if (!stages) return;
    for (const Vector& rates : stages->rates) {
      for (const Expr& rate : rates) {
        const auto found = place_.find(rate.id());
        if (found != place_.end()) direction_[found->second] -= scaled_step * rate;
      }
    }
  }

  const Vector& direction() const { return direction_; }
  /// What stands for an unknown.
  const Expr& symbol_of(const Expr& unknown) const { return symbols_[place_.at(unknown.id())]; }

 private:
  Vector symbols_, direction_;
  std::unordered_map<NodeId, std::size_t> place_;
};

/// Stages of the state with those of its tangent.
StageIteration with_tangent(const StageIteration& stages, const VariedStep& step,
                            const TangentUnknowns& unknowns, const Expr& scaled_step) {
  const GraphPointer& graph = step.arguments.front().graph();
  const std::size_t n = stages.state.size(), p = stages.positions;
  const auto symbols = [&](const char* name, std::size_t count) {
    Vector result;
    for (std::size_t i = 0; i < count; ++i)
      result.push_back(make_symbol(graph, name + std::to_string(i + 1)));
    return result;
  };
  const Vector tangent = symbols("tangent_stage_", n),
               means = symbols("tangent_mean_", stages.means.means.size()),
               end = symbols("tangent_end_", stages.end.size());
  Vector variables = concatenate({stages.state, stages.means.means, stages.end, step.arguments}),
         direction = concatenate({tangent, means, end, step.beside});
  if (!stages.time.is_constant()) {
    variables.push_back(stages.time);
    const Expr start = change_of(stages.start_time, step);
    const Expr elapsed = stages.time - stages.start_time;
    direction.push_back(start + elapsed * scaled_step);
  }
  const Vector change = forward_derivative(stages.rate, variables, direction);
  Vector rate;
  for (std::size_t i = 0; i < n; ++i) rate.push_back(change[i] + scaled_step * stages.rate[i]);
  const Vector before = forward_derivative(stages.before, step.arguments, step.beside);
  // Positions first.
  const auto both = [&](const Vector& x, const Vector& y) {
    return concatenate({slice(x, 0, p), slice(y, 0, p), slice(x, p, n - p), slice(y, p, n - p)});
  };
  StageIteration result = stages;
  result.state = both(stages.state, tangent);
  result.positions = 2 * p;
  result.rate = both(stages.rate, rate);
  result.before = both(stages.before, before);
  result.end = concatenate({stages.end, end});
  for (Vector& rates : result.rates) {
    Vector own;
    for (const Expr& symbol : rates) own.push_back(unknowns.symbol_of(symbol));
    rates = both(rates, own);
  }
  if (!means.empty()) {
    const Vector function = forward_derivative(stages.means.function, variables, direction);
    result.means.function = concatenate({stages.means.function, function});
    result.means.means = concatenate({stages.means.means, means});
  }
  return result;
}

/// What a step adds to the tangents of t and h, or to their adjoints: nothing but what is given.
Vector with_parameters(const VariedStep& step, const Vector& state, const Vector& rest) {
  const VariationLayout& layout = step.layout;
  return concatenate({step.equations.after.carried, state,
                      slice(rest, layout.parameters - layout.q, layout.end - layout.parameters)});
}

Equations tangent_equations(const Method& method, const Variation& variation, const System& system,
                            const State& before, Unknowns& unknowns, const Expr& h) {
  VariedStep step = step_of(method, variation, system, before, unknowns, h);
  Equations& equations = step.equations;
  const VariationLayout& layout = step.layout;
  const Expr scaled_step =
      equations.stages ? change_of(equations.stages->step, step) / equations.stages->step : 0.0;
  const TangentUnknowns tangents(step.unknowns, unknowns, scaled_step, equations.stages);
  const Vector variables = concatenate({step.arguments, step.unknowns}),
               direction = concatenate({step.beside, tangents.direction()});
  if (equations.stages)
    equations.stages = with_tangent(*equations.stages, step, tangents, scaled_step);
  const Vector functions = concatenate({equations.zero, equations.constraint, step.after});
  const Vector slopes = forward_derivative(functions, variables, direction);
  const std::size_t count = functions.size() - step.after.size();
  equations.constraint = concatenate({equations.constraint, slice(slopes, 0, count)});
  equations.companion = Companion::tangent;
  Vector rest = step.beside;
  // t moves on by h.
  if (variation.step) rest[layout.time - layout.q] += step.beside[layout.step - layout.q];
  equations.after.carried = with_parameters(step, slice(slopes, count, step.after.size()), rest);
  return equations;
}

Equations adjoint_equations(const Method& method, const Variation& variation, const System& system,
                            const State& before, Unknowns& unknowns, const Expr& h) {
  VariedStep step = step_of(method, variation, system, before, unknowns, h);
  Equations& equations = step.equations;
  const VariationLayout& layout = step.layout;
  const Vector functions = concatenate({equations.zero, equations.constraint});
  const Vector mu = unknowns.whole("adjoint", zeros(functions.size()));
  const Expr value = dot(step.after, slice(step.beside, 0, step.after.size())) - dot(mu, functions);
  const Vector slopes = gradient(value, concatenate({step.unknowns, step.arguments}));
  const std::size_t count = step.unknowns.size();
  equations.constraint = concatenate({equations.constraint, slice(slopes, 0, count)});
  equations.companion = Companion::adjoint;
  // The equations of the adjoint hold what sweeps do not find, as multipliers of the stages.
  if (equations.stages && concatenate(equations.stages->rates).size() < step.unknowns.size())
    equations.stages.reset();
  const Vector found = slice(slopes, count, step.arguments.size());
  Vector rest = step.beside;
  for (std::size_t i = layout.parameters - layout.q; i < rest.size(); ++i) rest[i] += found[i];
  // t moves on by h.
  if (variation.step) rest[layout.step - layout.q] += step.beside[layout.time - layout.q];
  equations.after.carried = with_parameters(step, slice(found, 0, step.after.size()), rest);
  return equations;
}

using VariedEquations = Equations (*)(const Method&, const Variation&, const System&, const State&,
                                      Unknowns&, const Expr&);

Method varied_method(const Method& method, const Variation& variation, const std::string& prefix,
                     const std::string& what, VariedEquations equations) {
  const MethodDefinition base = method.definition();
  const auto carries = [method, variation, prefix](const System& system) {
    std::vector<std::string> names = method.carried_names(system);
    const VariationLayout layout(system, method, variation);
    for (std::size_t i = 0; i < layout.size(); ++i) names.push_back(prefix + std::to_string(i + 1));
    return names;
  };
  const auto start = [method, variation](const System& system, const State& state) {
    const VariationLayout layout(system, method, variation);
    return concatenate({method.carried_start(system, state), zeros(layout.size())});
  };
  MethodDefinition definition{
      .name = base.name.get(),
      .title = what + base.title,
      .source = base.source,
      .facts = base.facts,
      .requirements = base.requirements,
      .equations =
          [=](const System& system, const State& before, Unknowns& unknowns, const Expr& h) {
            return equations(method, variation, system, before, unknowns, h);
          },
      .carries = carries,
      .start = start,
      .error_tolerance = base.error_tolerance,
      .error_is_scaled = base.error_is_scaled,
      .options = base.options,
      .values = base.values,
      .misfit = [method](const System& system) { return method.misfit(system); }};
  return Method(std::move(definition));
}

}  // namespace

Method tangent_method(const Method& method, const Variation& variation) {
  return varied_method(method, variation, "tangent_", "tangents of: ", tangent_equations);
}

Method adjoint_method(const Method& method, const Variation& variation) {
  return varied_method(method, variation, "adjoint_", "adjoints of: ", adjoint_equations);
}

}  // namespace dalembert
