#include "dalembert/expression/query.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

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

/// A node of `source` built in `graph` on the values of its operands there.
Expr made_of(const GraphPointer& graph, const Graph& source, NodeId id, const NodeMap<Expr>& value,
             const std::vector<NodeId>& operands) {
  const Node node = source.node(id);
  if (node.operation == Operation::solve) {
    std::vector<NodeId> replaced;
    for (const NodeId operand : operands) replaced.push_back(value.at(operand).id_in(*graph));
    return Expr(graph, graph->solve(replaced, node.b));
  }
  if (node.operation == Operation::component)
    return Expr(graph, graph->component(value.at(node.a).id(), node.b));
  if (node.operation == Operation::function)
    return opaque_function(source.name(id), value.at(node.a));
  if (node.operation == Operation::table)
    return look_up(source.table(id), value.at(node.a), Graph::derivative_of(node));
  return rebuild(node, value.at(operands.front()), value.at(operands.back()));
}

/// The node built anew on the values of its operands, all in one graph.
Expr with_operands(const GraphPointer& graph, NodeId id, const NodeMap<Expr>& value,
                   std::vector<NodeId>& operands) {
  graph->operands(id, operands);
  const bool unchanged = std::all_of(operands.begin(), operands.end(), [&](NodeId operand) {
    const Expr& now = value.at(operand);
    return now.is_constant() ? graph->node(operand).operation == Operation::constant &&
                                   graph->constant_value(operand) == now.constant()
                             : now.id() == operand;
  });
  if (unchanged) return Expr(graph, id);
  return made_of(graph, *graph, id, value, operands);
}

/// Which symbols occur in a node, and which occur nonlinearly.
struct SymbolUse {
  std::vector<bool> occurs, nonlinear;

  SymbolUse() = default;
  explicit SymbolUse(std::size_t size) : occurs(size, false), nonlinear(size, false) {}
  static SymbolUse of(std::size_t symbol, std::size_t size) {
    SymbolUse use(size);
    use.occurs[symbol] = true;
    return use;
  }

  /// Takes in an operand; what occurs in `factor` and in the operand occurs nonlinearly.
  void add(const SymbolUse& operand, const std::vector<bool>& factor) {
    for (std::size_t i = 0; i < occurs.size(); ++i) {
      if (!operand.occurs[i]) continue;
      occurs[i] = true;
      nonlinear[i] = nonlinear[i] || operand.nonlinear[i] || factor[i];
    }
  }
};

/// The use of symbols in nodes that depend on some; of all others there is none.
class SymbolUses {
 public:
  explicit SymbolUses(std::size_t size) : none_(size) {}
  const SymbolUse& at(NodeId id) const {
    const auto found = uses_.find(id);
    return found == uses_.end() ? none_ : found->second;
  }
  void set(NodeId id, SymbolUse use) { uses_[id] = std::move(use); }

 private:
  SymbolUse none_;
  NodeMap<SymbolUse> uses_;
};

SymbolUse node_use(const Graph& graph, NodeId id, const std::vector<NodeId>& operands,
                   const SymbolUses& use) {
  const std::size_t size = use.at(operands.front()).occurs.size();
  const std::vector<bool> nothing(size, false), everything(size, true);
  SymbolUse result(size);
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
      const std::vector<bool> in_matrix = result.occurs;
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
  const auto ids = symbols_in(*expression.graph(), symbols);
  for (std::size_t i = 0; i < symbols.size(); ++i)
    result[i] = std::binary_search(needed.begin(), needed.end(), ids[i]);
  return result;
}

bool depends_on(const Expr& expression, const Vector& symbols) {
  return !expression.is_constant() && any_depends_on({expression}, symbols);
}

bool any_depends_on(const Vector& expressions, const Vector& symbols) {
  const Graph* graph = graph_of(expressions);
  if (graph == nullptr) return false;
  const std::vector<NodeId> needed = reachable(*graph, ids_of(expressions));
  const std::vector<NodeId> ids = symbols_in(*graph, symbols);
  return std::any_of(ids.begin(), ids.end(), [&needed](NodeId id) {
    return std::binary_search(needed.begin(), needed.end(), id);
  });
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

std::unordered_map<NodeId, int> polynomial_degrees(const Vector& expressions,
                                                   const Vector& symbols) {
  std::unordered_map<NodeId, int> degree;
  const Graph* graph = graph_of(expressions);
  if (graph == nullptr) return degree;
  const auto variable = indices_of(symbols_in(*graph, symbols));
  for (const NodeId id : reachable(*graph, ids_of(expressions))) {
    degree[id] = variable.contains(id) ? 1 : node_degree(*graph, id, degree);
  }
  return degree;
}

std::vector<bool> linear_in_each(const Expr& expression, const Vector& symbols) {
  if (expression.is_constant()) return std::vector<bool>(symbols.size(), true);
  const Graph& graph = *expression.graph();
  SymbolUses use(symbols.size());
  std::vector<NodeId> operands;
  const auto variable = indices_of(symbols_in(graph, symbols));
  DependentNodes dependent(graph, {expression}, symbols);
  for (const NodeId id : dependent.below(expression.id())) {
    graph.operands(id, operands);
    const auto found = variable.find(id);
    use.set(id, found != variable.end() ? SymbolUse::of(found->second, symbols.size())
                                        : node_use(graph, id, operands, use));
  }
  std::vector<bool> result = use.at(expression.id()).nonlinear;
  result.flip();
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
      value[id] = made_of(graph, *source, id, value, operands);
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
  NodeMap<Expr> value;
  std::vector<NodeId> operands;
  for (const NodeId id : reachable(*graph, ids)) {
    Expr result = with_operands(graph, id, value, operands);
    const auto named = part.find(id);
    if (named != part.end()) {
      definitions[named->second] = std::move(result);
      result = replacements[named->second];
    }
    value.emplace(id, std::move(result));
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
