#include "dalembert/expression/sparse/dependent_nodes.hpp"

#include <algorithm>

#include "dalembert/expression/node_map.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {

DependentNodes::DependentNodes(const Graph& graph, const Vector& expressions, const Vector& symbols)
    : graph_(graph), depends_(graph.size(), false), seen_(graph.size(), false) {
  for (const Expr& symbol : symbols) depends_[symbol.id()] = true;
  std::vector<NodeId> roots;
  for (const Expr& expression : expressions) {
    if (!expression.is_constant()) roots.push_back(expression.id());
  }
  for (const NodeId id : reachable(graph, roots)) {
    graph.operands(id, operands_);
    for (const NodeId operand : operands_)
      if (depends_[operand]) depends_[id] = true;
  }
}

std::vector<NodeId> DependentNodes::below(NodeId root) {
  std::vector<NodeId> found;
  const auto visit = [&](NodeId id) {
    if (!depends_[id] || seen_[id]) return;
    seen_[id] = true;
    found.push_back(id);
    stack_.push_back(id);
  };
  visit(root);
  while (!stack_.empty()) {
    graph_.operands(stack_.back(), operands_);
    stack_.pop_back();
    for (const NodeId operand : operands_) visit(operand);
  }
  for (const NodeId id : found) seen_[id] = false;
  std::ranges::sort(found);
  return found;
}

std::vector<std::vector<std::size_t>> sparse_dependencies(const Vector& functions,
                                                          const Vector& symbols) {
  std::vector<std::vector<std::size_t>> result(functions.size());
  const GraphPointer graph = common_graph({functions, symbols});
  if (graph == nullptr) return result;
  DependentNodes nodes(*graph, functions, symbols);
  NodeMap<std::size_t> index;
  for (std::size_t j = 0; j < symbols.size(); ++j) index.emplace(symbols[j].id(), j);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].is_constant()) continue;
    for (const NodeId id : nodes.below(functions[i].id())) {
      const auto symbol = index.find(id);
      if (symbol != index.end()) result[i].push_back(symbol->second);
    }
    std::ranges::sort(result[i]);
  }
  return result;
}

}  // namespace dalembert
