#include "dalembert/expression/sparse/dependent_nodes.hpp"

#include <algorithm>
#include <bitset>

#include "dalembert/expression/node_map.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {

DependentNodes::DependentNodes(const Graph& graph, const Vector& expressions, const Vector& symbols)
    : graph_(graph), depends_(graph.size(), false), needed_(graph.size()) {
  for (const Expr& symbol : symbols) depends_[symbol.id()] = true;
  std::vector<NodeId> roots;
  for (const Expr& expression : expressions) {
    if (!expression.is_constant()) roots.push_back(expression.id());
  }
  for (const NodeId id : reachable(graph, roots)) {
    graph.visit_operands(id, [&](NodeId operand) {
      if (depends_[operand]) depends_[id] = true;
    });
  }
}

std::vector<NodeId> DependentNodes::below(NodeId root) {
  std::vector<NodeId> found;
  const auto need = [&](NodeId id) {
    if (depends_[id]) needed_.insert(id);
  };
  need(root);
  needed_.drain([&](NodeId id) {
    found.push_back(id);
    graph_.visit_operands(id, need);
  });
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<std::vector<std::size_t>> sparse_dependencies(const Vector& functions,
                                                          const Vector& symbols) {
  std::vector<std::vector<std::size_t>> result(functions.size());
  const GraphPointer graph = common_graph({functions, symbols});
  if (graph == nullptr || symbols.empty()) return result;
  std::vector<NodeId> roots;
  for (const Expr& function : functions)
    if (!function.is_constant()) roots.push_back(function.id());
  const std::vector<NodeId> order = reachable(*graph, roots);
  NodeMap<std::size_t> index;
  for (std::size_t j = 0; j < symbols.size(); ++j) index.emplace(symbols[j].id(), j);
  // A walk below each function would take their number times the nodes; one over all nodes finds
  // what each depends on of some symbols.
  constexpr std::size_t some = 256;
  std::vector<std::bitset<some>> depends(graph->size());
  for (std::size_t first = 0; first < symbols.size(); first += some) {
    for (const NodeId id : order) {
      std::bitset<some> own;
      graph->visit_operands(id, [&](NodeId operand) { own |= depends[operand]; });
      const auto symbol = index.find(id);
      if (symbol != index.end() && symbol->second - first < some) own.set(symbol->second - first);
      depends[id] = own;
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (functions[i].is_constant() || depends[functions[i].id()].none()) continue;
      for (std::size_t k = 0; k < some; ++k)
        if (depends[functions[i].id()][k]) result[i].push_back(first + k);
    }
  }
  return result;
}

}  // namespace dalembert
