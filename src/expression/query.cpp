#include "dalembert/expression/query.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <unordered_map>

namespace dalembert {
namespace {

std::vector<NodeId> ids_of(const Vector& expressions) {
  std::vector<NodeId> ids;
  for (const Expr& expression : expressions) {
    if (!expression.is_constant()) ids.push_back(expression.id());
  }
  return ids;
}

Graph* graph_of(const Vector& expressions) {
  for (const Expr& expression : expressions) {
    if (!expression.is_constant()) return expression.graph();
  }
  return nullptr;
}

int product_degree(int x, int y) { return std::min(x + y, not_polynomial); }

int node_degree(const Graph& graph, NodeId id, const std::unordered_map<NodeId, int>& degree) {
  const Node& node = graph.node(id);
  switch (node.operation) {
    case Operation::constant:
    case Operation::symbol:
      return 0;
    case Operation::negate:
    case Operation::component:
      return degree.at(node.a);
    case Operation::add:
    case Operation::subtract:
      return std::max(degree.at(node.a), degree.at(node.b));
    case Operation::multiply:
      return product_degree(degree.at(node.a), degree.at(node.b));
    case Operation::divide:
      return degree.at(node.b) == 0 ? degree.at(node.a) : not_polynomial;
    case Operation::solve: {
      const auto operands = graph.solve_operands(id);
      const std::size_t size = node.b;
      int right_side = 0;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (i < size * size && degree.at(operands[i]) > 0) return not_polynomial;
        right_side = std::max(right_side, degree.at(operands[i]));
      }
      return right_side;
    }
    default: {
      std::vector<NodeId> operands;
      graph.operands(id, operands);
      const auto varies = [&](NodeId operand) { return degree.at(operand) > 0; };
      return std::any_of(operands.begin(), operands.end(), varies) ? not_polynomial : 0;
    }
  }
}

}  // namespace

std::vector<NodeId> reachable(const Graph& graph, const std::vector<NodeId>& roots) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<NodeId> stack = roots, found, operands;
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (seen[id]) continue;
    seen[id] = true;
    found.push_back(id);
    graph.operands(id, operands);
    stack.insert(stack.end(), operands.begin(), operands.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<bool> dependencies(const Expr& expression, const Vector& symbols) {
  std::vector<bool> result(symbols.size(), false);
  if (expression.is_constant()) return result;
  const auto needed = reachable(*expression.graph(), {expression.id()});
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    result[i] = !symbols[i].is_constant() &&
                std::binary_search(needed.begin(), needed.end(), symbols[i].id());
  }
  return result;
}

bool depends_on(const Expr& expression, const Vector& symbols) {
  const auto found = dependencies(expression, symbols);
  return std::find(found.begin(), found.end(), true) != found.end();
}

int polynomial_degree(const Expr& expression, const Vector& symbols) {
  if (expression.is_constant()) return 0;
  const Graph& graph = *expression.graph();
  std::unordered_map<NodeId, int> degree;
  for (const NodeId id : reachable(graph, {expression.id()})) {
    degree[id] = node_degree(graph, id, degree);
    for (const Expr& symbol : symbols) {
      if (symbol.id() == id) degree[id] = 1;
    }
  }
  return degree.at(expression.id());
}

Vector substitute(const Vector& expressions, const Vector& from, const Vector& to) {
  assert(from.size() == to.size());
  Graph* graph = graph_of(expressions);
  if (graph == nullptr) return expressions;
  std::unordered_map<NodeId, Expr> value;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!from[i].is(Operation::symbol))
      throw std::invalid_argument("only symbols can be substituted");
    value.emplace(from[i].id(), to[i]);
  }
  std::vector<NodeId> operands;
  for (const NodeId id : reachable(*graph, ids_of(expressions))) {
    if (value.contains(id)) continue;
    graph->operands(id, operands);
    bool changed = false;
    for (const NodeId operand : operands)
      changed = changed || !same(value.at(operand), Expr(*graph, operand));
    if (!changed) {
      value.emplace(id, Expr(*graph, id));
      continue;
    }
    const Node node = graph->node(id);
    if (node.operation == Operation::solve) {
      std::vector<NodeId> replaced;
      for (const NodeId operand : operands) replaced.push_back(value.at(operand).id_in(*graph));
      value.emplace(id, Expr(*graph, graph->solve(replaced, node.b)));
    } else if (node.operation == Operation::component) {
      value.emplace(id, Expr(*graph, graph->component(value.at(node.a).id(), node.b)));
    } else if (node.operation == Operation::function) {
      value.emplace(id, opaque_function(graph->name(id), value.at(node.a)));
    } else {
      value.emplace(id, rebuild(node, value.at(operands.front()), value.at(operands.back())));
    }
  }
  Vector result;
  result.reserve(expressions.size());
  for (const Expr& expression : expressions) {
    result.push_back(expression.is_constant() ? expression : value.at(expression.id()));
  }
  return result;
}

Expr substitute(const Expr& expression, const Vector& from, const Vector& to) {
  return substitute(Vector{expression}, from, to).front();
}

Matrix substitute(const Matrix& matrix, const Vector& from, const Vector& to) {
  Matrix result = matrix;
  result.entries() = substitute(matrix.entries(), from, to);
  return result;
}

Vector terms_of(const Expr& expression) {
  Vector result, stack{expression};
  while (!stack.empty()) {
    const Expr term = stack.back();
    stack.pop_back();
    if (term.is(Operation::add)) {
      stack.push_back(term.second());
      stack.push_back(term.first());
    } else if (term.is(Operation::subtract)) {
      stack.push_back(-term.second());
      stack.push_back(term.first());
    } else {
      result.push_back(term);
    }
  }
  return result;
}

}  // namespace dalembert
