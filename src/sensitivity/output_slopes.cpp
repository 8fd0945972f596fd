#include "output_slopes.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/run/integrate.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

struct SlopeEquations {
  Symbols symbols;
  Vector lambda, outputs;
};

/// Values, then the slopes of each.
SlopeEquations slope_equations(const System& system, const Method& method,
                               const Variation& variation,
                               const std::vector<SensitiveQuantity>& quantities,
                               bool has_multiplier) {
  SlopeEquations result{system.symbols(), {}, {}};
  const Symbols& s = result.symbols;
  const std::size_t multipliers = system.constraint_count();
  if (has_multiplier) result.lambda = new_symbols(s.t.graph(), "lambda", multipliers);
  const Vector lambda = has_multiplier ? result.lambda : system.eliminated(s.q, s.v, s.t).lambda;
  Vector values;
  for (const SensitiveQuantity& quantity : quantities)
    values.push_back(quantity.function(s, lambda));
  values = system.at(values, s.q, s.v, s.t);
  Vector parameters;
  for (const std::size_t parameter : variation.parameters)
    parameters.push_back(s.parameter_list.at(parameter));
  const VariationLayout layout(system, method, variation);
  const Vector state =
      jacobian(values, concatenate({s.q, s.v, result.lambda, parameters, Vector{s.t}})).entries();
  const std::size_t before = s.q.size() + s.v.size() + result.lambda.size(),
                    width = before + parameters.size() + 1;
  result.outputs = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Vector row = slice(state, i * width, before);
    row.resize(layout.parameters - layout.q, Expr(0.0));
    row = concatenate({row, slice(state, i * width + before, parameters.size())});
    if (variation.step)
      row = concatenate({row, slice(state, (i + 1) * width - 1, 1), Vector{Expr(0.0)}});
    result.outputs = concatenate({result.outputs, row});
  }
  return result;
}

StateFunction<double> slope_function(const System& system, const SlopeEquations& equations,
                                     std::span<const double> parameters) {
  return {system, equations.symbols, equations.outputs, parameters, equations.lambda};
}

}  // namespace

OutputSlopes::OutputSlopes(const System& system, const Method& method, const Variation& variation,
                           const std::vector<SensitiveQuantity>& quantities, bool has_multiplier,
                           std::span<const double> parameters)
    : count_(quantities.size()),
      width_(VariationLayout(system, method, variation).size()),
      function_(slope_function(
          system, slope_equations(system, method, variation, quantities, has_multiplier),
          parameters)),
      q_(system.storage_count()),
      lambda_(has_multiplier ? system.constraint_count() : 0),
      results_(count_ * (1 + width_)) {
  for (const SensitiveQuantity& quantity : quantities) names_.push_back(quantity.name);
}

void OutputSlopes::evaluate(const Point& point) {
  unwrap_positions(point, q_);
  if (!lambda_.empty()) lambda_ = point.lambda;
  function_.evaluate(point.t, q_, point.v, lambda_, results_);
}

std::vector<SensitiveQuantity> state_quantities(const System& system) {
  std::vector<SensitiveQuantity> result;
  const std::vector<Coordinate> stored = system.configuration().storage();
  for (std::size_t i = 0; i < stored.size(); ++i)
    result.push_back({stored[i].name, [i](const Symbols& s, const Vector&) { return s.q[i]; }});
  if (system.is_skew_gradient()) return result;
  const std::vector<std::string> columns = system.configuration().velocity_columns();
  for (std::size_t i = 0; i < columns.size(); ++i)
    result.push_back({columns[i], [i](const Symbols& s, const Vector&) { return s.v[i]; }});
  return result;
}

}  // namespace dalembert
