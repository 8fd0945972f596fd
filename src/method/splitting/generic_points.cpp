#include "generic_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/state_function.hpp"

namespace dalembert {
namespace {

constexpr int point_count = 4;
/// Of the size of the terms: some dozen roundings. A length that changes by more over positions of
/// size one is not a constant one.
constexpr double cancelled = 64.0 * std::numeric_limits<double>::epsilon();

/// A number in (0, 1) without relations to others.
double generic(std::size_t index, int point) {
  const double x = 0.61803398874989485 * double(index + 1) + 0.41421356237309505 * point + 0.137;
  return x - std::floor(x);
}

double generic_value(const Parameter& parameter, std::size_t index, int point) {
  const double shift = 0.1 + 0.5 * generic(index + 17, point);
  for (const double value : {parameter.value * (1.0 + shift), parameter.value * (1.0 - shift),
                             parameter.value + shift, parameter.value - shift}) {
    if (parameter.admits(value) && value != 0.0) return value;
  }
  return parameter.value;
}

/// Whether expressions have values: the equations of a formal system, which are printed, have none.
bool have_values(const Vector& expressions) {
  return std::ranges::none_of(expressions, [](const Expr& expression) {
    if (expression.is_constant()) return false;  // in no graph
    const Graph& graph = *expression.graph();
    return std::ranges::any_of(reachable(graph, {expression.id()}), [&](NodeId id) {
      return graph.node(id).operation == Operation::function;
    });
  });
}

/// The symbols of expressions that are none of those known: a reference may be the end of an
/// earlier piece, and hold its step size and its unknowns.
Vector other_symbols(const Vector& expressions, const Vector& known) {
  Vector others;
  for (const Expr& expression : expressions) {
    if (expression.is_constant()) continue;
    const GraphPointer& graph = expression.graph();
    for (const NodeId id : reachable(*graph, {expression.id()})) {
      if (graph->node(id).operation != Operation::symbol) continue;
      const Expr symbol(graph, id);
      const auto is_it = [&](const Expr& one) { return same(one, symbol); };
      if (std::ranges::none_of(known, is_it) && std::ranges::none_of(others, is_it))
        others.push_back(symbol);
    }
  }
  return others;
}

}  // namespace

GenericPoints::GenericPoints(const System& system, const Vector& reference, Vector position)
    : system_(system), symbols_(system.symbols(reference)), position_(std::move(position)) {}

std::vector<bool> GenericPoints::vanishing(const Vector& expressions) const {
  if (!have_values(expressions)) {
    std::vector<bool> zero;
    for (const Expr& expression : expressions) zero.push_back(expression.is_constant(0.0));
    return zero;
  }
  Vector all;
  std::vector<std::size_t> counts;
  for (const Expr& expression : expressions) {
    const Vector terms = terms_of(expression);
    counts.push_back(terms.size());
    all = concatenate({all, terms});
  }
  std::vector<bool> result(expressions.size(), true);
  if (all.empty()) return result;
  const Vector others = other_symbols(all, concatenate({Vector{symbols_.t}, symbols_.q, symbols_.v,
                                                        position_, symbols_.parameter_list}));
  StateFunction<double> function(system_, symbols_, all, {}, concatenate({position_, others}));
  const std::vector<Parameter>& parameters = system_.description().parameters;
  for (int point = 0; point < point_count; ++point) {
    std::vector<double> values, q, rest(symbols_.q.size(), 0.0), v(symbols_.v.size(), 0.0);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      values.push_back(generic_value(parameters[i], i, point));
    for (std::size_t i = 0; i < position_.size() + others.size(); ++i)
      q.push_back(generic(i, point));
    function.set_parameters(values);
    const std::span<const double> terms = function(0.0, rest, v, q);
    std::size_t next = 0;
    for (std::size_t k = 0; k < expressions.size(); ++k) {
      double sum = 0.0, size = 0.0;
      for (std::size_t i = 0; i < counts[k]; ++i, ++next) {
        sum += terms[next];
        size += std::fabs(terms[next]);
      }
      if (!(std::fabs(sum) <= cancelled * size)) result[k] = false;
    }
  }
  return result;
}

Vector GenericPoints::simplified(const Vector& expressions) const {
  if (!have_values(expressions)) return expressions;
  const std::vector<bool> zero = vanishing(expressions);
  const Vector at_origin = substitute(expressions, position_, zeros(position_.size()));
  const std::vector<bool> constant = vanishing(expressions - at_origin);
  Vector result;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    if (zero[i]) {
      result.emplace_back(0.0);
    } else {
      result.push_back(constant[i] ? at_origin[i] : expressions[i]);
    }
  }
  return result;
}

}  // namespace dalembert
