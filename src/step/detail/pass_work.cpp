#include "pass_work.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/expression/node_map.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

double size_of_system(const std::vector<NodeId>& operands) {
  // A matrix and a right-hand side.
  return std::floor(std::sqrt(static_cast<double>(operands.size())));
}

double work_of_node(const Graph& graph, NodeId id, const std::vector<NodeId>& operands) {
  switch (graph.node(id).operation) {
    case Operation::solve: {
      const double size = size_of_system(operands);
      return 1.0 + size * size * size / 3.0 + size * size;
    }
    case Operation::divide:
    case Operation::sqrt:
      return 4.0;
    case Operation::constant:
    case Operation::symbol:
    case Operation::component:
    case Operation::negate:
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::where_nonnegative:
    case Operation::where_negative:
    case Operation::abs:
    case Operation::sign:
    case Operation::floor:
      return 1.0;
    default:
      return 10.0;
  }
}

/// Calls visit(node, its operands) for what expressions need, operands first.
template <class Visit>
void visit_reachable(Graph& graph, const Vector& expressions, Visit visit) {
  std::vector<NodeId> roots, operands;
  for (const Expr& expression : expressions)
    if (!expression.is_constant()) roots.push_back(expression.id_in(graph));
  for (const NodeId id : reachable(graph, roots)) {
    graph.operands(id, operands);
    visit(id, operands);
  }
}

}  // namespace

double work_of(const Vector& expressions) {
  const GraphPointer graph = common_graph({expressions});
  double work = 0.0;
  visit_reachable(*graph, expressions, [&](NodeId id, const std::vector<NodeId>& operands) {
    work += work_of_node(*graph, id, operands);
  });
  return work;
}

double work_with(const Vector& expressions, const Vector& symbols) {
  const GraphPointer graph = common_graph({expressions, symbols});
  NodeMap<bool> varying;
  for (const Expr& symbol : symbols) varying.emplace(symbol.id_in(*graph), true);
  double work = 0.0;
  visit_reachable(*graph, expressions, [&](NodeId id, const std::vector<NodeId>& operands) {
    const auto varies = [&](NodeId operand) { return varying.contains(operand); };
    if (std::ranges::none_of(operands, varies)) return;
    varying.emplace(id, true);
    const double size = size_of_system(operands);
    work += graph->node(id).operation == Operation::solve ? size * size
                                                          : work_of_node(*graph, id, operands);
  });
  return work;
}

bool is_worth_a_pass(double work, std::size_t iterates) {
  return work >= 400.0 && work >= 60.0 * static_cast<double>(iterates);
}

bool is_worth_keeping(double matrix, double repeated) {
  return matrix >= 400.0 && matrix >= 2.0 * repeated;
}

}  // namespace dalembert
