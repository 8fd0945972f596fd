#include "dalembert/expression/sparse/numeric_sample.hpp"

#include <algorithm>

#include "dalembert/expression/query.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace dalembert {
namespace {

/// Number with the same bits on every machine: an order of elimination may be decided by the last
/// ones, where a pivot is zero but for round-off.
double sample_value(const Node& symbol, NodeId id, int number) {
  const double wave = numeric::sin(1.7 * double(id + 1) + double(number));
  if (symbol.facts.nonnegative) return 1.0 + 0.5 * wave;
  if (symbol.facts.nonpositive) return -1.0 - 0.5 * wave;
  return 0.6 * wave;
}

}  // namespace

NumericSample::NumericSample(const Vector& expressions) {
  const GraphPointer graph = common_graph({expressions});
  if (graph != nullptr) {
    std::vector<NodeId> roots;
    for (const Expr& expression : expressions) {
      if (!expression.is_constant()) roots.push_back(expression.id_in(*graph));
    }
    for (const NodeId id : reachable(*graph, roots))
      if (graph->node(id).operation == Operation::symbol) symbols_.emplace_back(graph, id);
  }
  function_ = CompiledFunction(symbols_, expressions);
  choose(0);
}

void NumericSample::choose(int number) {
  values_.clear();
  for (const Expr& symbol : symbols_)
    values_.push_back(sample_value(symbol.graph()->node(symbol.id()), symbol.id(), number));
}

void NumericSample::set(const Expr& symbol, double value) {
  const auto found = std::ranges::lower_bound(symbols_, symbol.id(), {}, &Expr::id);
  if (found != symbols_.end() && found->id() == symbol.id())
    values_[std::size_t(found - symbols_.begin())] = value;
}

std::vector<double> NumericSample::operator()() { return function_(values_); }

}  // namespace dalembert
