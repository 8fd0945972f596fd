#include "dalembert/expression/query.hpp"

#include <algorithm>
#include <bitset>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/expression/node_map.hpp"
#include "dalembert/expression/sparse/dependent_nodes.hpp"
#include "dalembert/expression/table/table.hpp"
#include "new_node.hpp"

namespace dalembert {
namespace {

std::vector<NodeId> ids_of(const Vector& expressions) {
  std::vector<NodeId> ids;
  for (const Expr& expression : expressions) {
    if (!expression.is_constant()) ids.push_back(expression.id());
  }
  return ids;
}

/// The graph of some of the expressions that has the nodes of all; null for constants.
const Graph* graph_of(const Vector& expressions) {
  const Graph* largest = nullptr;
  for (const Expr& expression : expressions) {
    const Graph* graph = expression.graph().get();
    if (graph == nullptr || graph == largest) continue;
    if (largest == nullptr || largest->shared_size(*graph) == largest->size()) largest = graph;
  }
  return largest;
}

/// The index of each symbol's node in a list of symbols, the first of equal ones.
NodeMap<std::size_t> indices_of(const std::vector<NodeId>& ids) {
  NodeMap<std::size_t> index;
  for (std::size_t i = 0; i < ids.size(); ++i) index.emplace(ids[i], i);
  return index;
}

/// The nodes of those symbols that the graph has; one of another graph occurs in none of its
/// expressions.
std::vector<NodeId> symbols_in(const Graph& graph, const Vector& symbols) {
  constexpr NodeId absent = std::numeric_limits<NodeId>::max();
  std::vector<NodeId> ids;
  for (const Expr& symbol : symbols) {
    const bool present =
        !symbol.is_constant() &&
        (symbol.graph().get() == &graph || symbol.id() < symbol.graph()->shared_size(graph));
    ids.push_back(present ? symbol.id() : absent);
  }
  return ids;
}

int product_degree(int x, int y) { return std::min(x + y, not_polynomial); }

int node_degree(const Graph& graph, NodeId id, const NodeMap<int>& degree) {
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

/// A node of `source` built in `graph` on the values of its operands there, value(operand).
template <class ValueOf>
Expr made_of(const GraphPointer& graph, const Graph& source, NodeId id, ValueOf value,
             const std::vector<NodeId>& operands) {
  const Node node = source.node(id);
  if (node.operation == Operation::solve) {
    std::vector<NodeId> replaced;
    for (const NodeId operand : operands) replaced.push_back(value(operand).id_in(*graph));
    return Expr(graph, graph->solve(replaced, node.b));
  }
  if (node.operation == Operation::component)
    return Expr(graph, graph->component(value(node.a).id(), node.b));
  if (node.operation == Operation::function) return opaque_function(source.name(id), value(node.a));
  if (node.operation == Operation::table)
    return look_up(source.table(id), value(node.a), Graph::derivative_of(node));
  return rebuild(node, value(operands.front()), value(operands.back()));
}

/// The node built anew, all in one graph, on the values of those of its operands that have changed.
Expr with_operands(const GraphPointer& graph, NodeId id, const NodeMap<Expr>& changed,
                   std::vector<NodeId>& operands) {
  graph->operands(id, operands);
  if (std::ranges::none_of(operands, [&](NodeId operand) { return changed.contains(operand); }))
    return Expr(graph, id);
  const auto value = [&](NodeId operand) {
    const auto found = changed.find(operand);
    return found == changed.end() ? Expr(graph, operand) : found->second;
  };
  return made_of(graph, *graph, id, value, operands);
}

/// Flags of so many symbols at a time.
constexpr std::size_t some_symbols = 128;
using SymbolFlags = std::bitset<some_symbols>;

/// Which symbols occur in a node, and which occur nonlinearly.
struct SymbolUse {
  SymbolFlags occurs, nonlinear;

  /// Takes in an operand; what occurs in `factor` and in the operand occurs nonlinearly.
  void add(const SymbolUse& operand, const SymbolFlags& factor) {
    occurs |= operand.occurs;
    nonlinear |= operand.nonlinear | (operand.occurs & factor);
  }
};

/// The use of symbols in nodes that depend on some; of all others there is none.
class SymbolUses {
 public:
  SymbolUse at(NodeId id) const {
    const auto found = uses_.find(id);
    return found == uses_.end() ? SymbolUse() : found->second;
  }
  void set(NodeId id, const SymbolUse& use) { uses_[id] = use; }

 private:
  NodeMap<SymbolUse> uses_;
};

SymbolUse node_use(const Graph& graph, NodeId id, const std::vector<NodeId>& operands,
                   const SymbolUses& use) {
  const SymbolFlags nothing, everything = ~nothing;
  SymbolUse result;
  const Node& node = graph.node(id);
  switch (node.operation) {
    case Operation::negate:
    case Operation::component:
    case Operation::add:
    case Operation::subtract:
      for (const NodeId operand : operands) result.add(use.at(operand), nothing);
      return result;
    case Operation::multiply:
      result.add(use.at(node.a), use.at(node.b).occurs);
      result.add(use.at(node.b), use.at(node.a).occurs);
      return result;
    case Operation::divide:
      result.add(use.at(node.a), use.at(node.b).occurs);
      result.add(use.at(node.b), everything);
      return result;
    case Operation::solve: {
      const std::size_t entries = std::size_t{node.b} * node.b;
      for (std::size_t i = 0; i < entries; ++i) result.add(use.at(operands[i]), everything);
      const SymbolFlags in_matrix = result.occurs;
      for (std::size_t i = entries; i < operands.size(); ++i)
        result.add(use.at(operands[i]), in_matrix);
      return result;
    }
    default:
      for (const NodeId operand : operands) result.add(use.at(operand), everything);
      return result;
  }
}

}  // namespace

std::vector<NodeId> reachable(const Graph& graph, const std::vector<NodeId>& roots) {
  NodeSet needed(graph.size());
  for (const NodeId root : roots) needed.insert(root);
  std::vector<NodeId> found;
  needed.drain([&](NodeId id) {
    found.push_back(id);
    graph.visit_operands(id, [&](NodeId operand) { needed.insert(operand); });
  });
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<bool> dependencies(const Expr& expression, const Vector& symbols) {
  return any_dependencies({expression}, symbols);
}

bool depends_on(const Expr& expression, const Vector& symbols) {
  return !expression.is_constant() && any_depends_on({expression}, symbols);
}

bool any_depends_on(const Vector& expressions, const Vector& symbols) {
  return std::ranges::count(any_dependencies(expressions, symbols), true) > 0;
}

std::vector<bool> any_dependencies(const Vector& expressions, const Vector& symbols) {
  std::vector<bool> result(symbols.size(), false);
  const Graph* graph = graph_of(expressions);
  if (graph == nullptr) return result;
  const std::vector<NodeId> needed = reachable(*graph, ids_of(expressions));
  const std::vector<NodeId> ids = symbols_in(*graph, symbols);
  for (std::size_t i = 0; i < symbols.size(); ++i)
    result[i] = std::binary_search(needed.begin(), needed.end(), ids[i]);
  return result;
}

bool has_pieces(Operation operation) {
  return has_condition(operation) || operation == Operation::abs || operation == Operation::sign ||
         operation == Operation::floor || operation == Operation::table;
}

bool has_pieces_in(const Expr& expression, const Vector& symbols) {
  if (expression.is_constant()) return false;
  const GraphPointer& graph = expression.graph();
  return std::ranges::any_of(reachable(*graph, {expression.id()}), [&](NodeId id) {
    const Node node = graph->node(id);
    return has_pieces(node.operation) && depends_on(Expr(graph, node.a), symbols);
  });
}

NodeMap<int> polynomial_degrees(const Vector& expressions, const Vector& symbols) {
  NodeMap<int> degree;
  const Graph* graph = graph_of(expressions);
  if (graph == nullptr) return degree;
  const auto variable = indices_of(symbols_in(*graph, symbols));
  for (const NodeId id : reachable(*graph, ids_of(expressions))) {
    degree[id] = variable.contains(id) ? 1 : node_degree(*graph, id, degree);
  }
  return degree;
}

std::vector<bool> linear_in_each(const Expr& expression, const Vector& symbols) {
  std::vector<bool> result(symbols.size(), true);
  if (expression.is_constant()) return result;
  const Graph& graph = *expression.graph();
  std::vector<NodeId> operands;
  const auto variable = indices_of(symbols_in(graph, symbols));
  DependentNodes dependent(graph, {expression}, symbols);
  const std::vector<NodeId> nodes = dependent.below(expression.id());
  for (std::size_t first = 0; first < symbols.size(); first += some_symbols) {
    SymbolUses use;
    for (const NodeId id : nodes) {
      const auto found = variable.find(id);
      SymbolUse own;
      if (found == variable.end()) {
        graph.operands(id, operands);
        own = node_use(graph, id, operands, use);
      } else if (found->second - first < some_symbols) {
        own.occurs.set(found->second - first);
      }
      use.set(id, own);
    }
    const SymbolFlags nonlinear = use.at(expression.id()).nonlinear;
    for (std::size_t i = first; i < symbols.size() && i < first + some_symbols; ++i)
      result[i] = !nonlinear[i - first];
  }
  return result;
}

int polynomial_degree(const Expr& expression, const Vector& symbols) {
  if (expression.is_constant()) return 0;
  return polynomial_degrees({expression}, symbols).at(expression.id());
}

Vector substitute(const Vector& expressions, const Vector& from, const Vector& to) {
  require_size("substitute: the list of replacements", to.size(), from.size());
  for (const Expr& symbol : from) {
    if (!symbol.is(Operation::symbol)) throw RequestError("only symbols can be substituted");
  }
  Vector definitions;
  return name_parts(expressions, from, to, definitions);
}

Vector rebuild_in(const GraphPointer& graph, const Vector& expressions, const Vector& from,
                  const Vector& to) {
  require_size("rebuild_in: the list of replacements", to.size(), from.size());
  const Graph* source = graph_of(expressions);
  if (source == nullptr) return expressions;
  const auto replaced = indices_of(symbols_in(*source, from));
  const std::size_t shared = source->shared_size(*graph);
  NodeMap<Expr> value;
  std::vector<NodeId> operands;
  for (const NodeId id : reachable(*source, ids_of(expressions))) {
    const auto found = replaced.find(id);
    source->operands(id, operands);
    if (found != replaced.end()) {
      value[id] = to[found->second];
    } else if (source->node(id).operation == Operation::constant) {
      value[id] = source->constant_value(id);
    } else if (operands.empty()) {
      if (id >= shared) refuse_foreign();
      value[id] = Expr(graph, id);
    } else {
      value[id] = made_of(
          graph, *source, id, [&](NodeId operand) { return value.at(operand); }, operands);
    }
  }
  Vector result;
  for (const Expr& expression : expressions)
    result.push_back(expression.is_constant() ? expression : value.at(expression.id()));
  return result;
}

Vector name_parts(const Vector& expressions, const Vector& parts, const Vector& names,
                  Vector& definitions) {
  require_size("name_parts: the list of names", names.size(), parts.size());
  definitions = parts;
  const std::vector<NodeId> ids = ids_of(expressions);
  if (ids.empty()) return expressions;
  const GraphPointer graph = common_graph({expressions, parts, names});
  const Vector replacements = in_graph(names, graph);
  NodeMap<std::size_t> part;
  for (std::size_t i = 0; i < parts.size(); ++i) part.emplace(parts[i].id_in(*graph), i);
  NodeMap<Expr> changed;
  std::vector<NodeId> operands;
  for (const NodeId id : reachable(*graph, ids)) {
    Expr result = with_operands(graph, id, changed, operands);
    const auto named = part.find(id);
    if (named != part.end()) {
      definitions[named->second] = std::move(result);
      result = replacements[named->second];
    }
    if (!same(result, Expr(graph, id))) changed.emplace(id, std::move(result));
  }
  Vector result;
  result.reserve(expressions.size());
  for (const Expr& expression : expressions) {
    const auto found = expression.is_constant() ? changed.end() : changed.find(expression.id());
    result.push_back(found == changed.end() ? in_graph(expression, graph) : found->second);
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
