#include "dalembert/expression/sparse/numeric_sample.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

double sample_value(const Node& symbol, NodeId id, int number) {
  const double wave = std::sin(1.7 * double(id + 1) + double(number));
  if (symbol.facts.nonnegative) return 1.0 + 0.5 * wave;
  if (symbol.facts.nonpositive) return -1.0 - 0.5 * wave;
  return 0.6 * wave;
}

}  // namespace

NumericSample::NumericSample(const Vector& expressions, int number)
    : graph_(common_graph({expressions})) {
  if (graph_ == nullptr) return;
  std::vector<NodeId> roots;
  for (const Expr& expression : expressions) {
    if (!expression.is_constant()) roots.push_back(expression.id());
  }
  for (const NodeId id : reachable(*graph_, roots)) {
    const Node& node = graph_->node(id);
    if (node.operation != Operation::symbol) continue;
    symbols_.emplace_back(graph_, id);
    values_.emplace_back(sample_value(node, id, number));
  }
}

void NumericSample::set(const Expr& symbol, double value) {
  const auto found = std::ranges::lower_bound(symbols_, symbol.id(), {}, &Expr::id);
  if (found != symbols_.end() && found->id() == symbol.id())
    values_[std::size_t(found - symbols_.begin())] = value;
}

std::vector<double> NumericSample::operator()(const Vector& expressions) const {
  std::vector<double> result;
  for (const Expr& value : substitute(expressions, symbols_, values_))
    result.push_back(value.is_constant() ? value.constant().high : std::nan(""));
  return result;
}

}  // namespace dalembert
