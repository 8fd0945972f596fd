#include "dalembert/step/detail/named_parts.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/node_map.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

/// More parts would not pay for the work of sorting them out.
constexpr std::size_t most_parts = 300;

/// How the nodes of a block depend on its unknowns, and who uses them.
class Survey {
 public:
  Survey(const Vector& functions, const Vector& unknowns)
      : graph_pointer_(unknowns.front().graph()),
        graph_(*graph_pointer_),
        degree_(polynomial_degrees(functions, unknowns)) {
    for (const auto& [id, degree] : degree_) order_.push_back(id);
    for (const Expr& unknown : unknowns) only_unknown_[unknown.id()] = unknown.id();
    std::vector<NodeId> operands;
    for (const NodeId id : order_) {
      graph_.operands(id, operands);
      std::sort(operands.begin(), operands.end());
      operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
      for (const NodeId operand : operands) note_use(id, operand);
    }
    for (const Expr& function : functions) {
      if (!function.is_constant()) ++uses_[function.id()].linear;
    }
  }

  Vector linear_parts() const {
    Vector parts;
    for (const NodeId id : order_) {
      const Uses uses = uses_of(id);
      if (degree_.at(id) == 1 && only_unknown_.at(id) == several && is_part(id) &&
          (uses.nonlinear > 0 || uses.linear > 1))
        parts.push_back(Expr(graph_pointer_, id));
    }
    return parts;
  }

  Vector shared_factors() const {
    Vector parts;
    for (const NodeId id : order_) {
      const Uses uses = uses_of(id);
      if (graph_.node(id).operation == Operation::divide && degree_.at(id) > 1 &&
          only_unknown_.at(id) == several && uses.factor >= fewest_uses &&
          uses.factor == uses.linear + uses.nonlinear)
        parts.push_back(Expr(graph_pointer_, id));
    }
    return parts;
  }

  Vector shared_terms() const {
    Vector parts;
    for (const NodeId id : order_) {
      const Uses uses = uses_of(id);
      if (degree_.at(id) > 1 && is_part(id) && uses.steady_factor > 1 &&
          uses.steady_factor == uses.linear && uses.nonlinear == 0)
        parts.push_back(Expr(graph_pointer_, id));
    }
    return parts;
  }

 private:
  struct Uses {
    int linear = 0, nonlinear = 0, steady_factor = 0, factor = 0;
  };
  static constexpr int fewest_uses = 4;
  static constexpr NodeId nothing = std::numeric_limits<NodeId>::max(), several = nothing - 1;

  Uses uses_of(NodeId id) const {
    const auto found = uses_.find(id);
    return found == uses_.end() ? Uses{} : found->second;
  }

  bool is_part(NodeId id) const {
    const Operation operation = graph_.node(id).operation;
    return operation != Operation::symbol && operation != Operation::solve;
  }

  void note_use(NodeId user, NodeId operand) {
    only_unknown_.emplace(user, nothing);
    only_unknown_.emplace(operand, nothing);
    const NodeId other = only_unknown_.at(operand);
    NodeId& only = only_unknown_[user];
    if (other != nothing) only = only == nothing || only == other ? other : several;
    if (degree_.at(operand) == 0) return;
    Uses& uses = uses_[operand];
    if (graph_.node(user).operation == Operation::multiply) ++uses.factor;
    if (!enters_linearly(user, operand)) {
      ++uses.nonlinear;
    } else {
      ++uses.linear;
      const Node node = graph_.node(user);
      if (node.operation == Operation::multiply &&
          graph_.node(node.a == operand ? node.b : node.a).steady)
        ++uses.steady_factor;
    }
  }

  bool enters_linearly(NodeId user, NodeId operand) const {
    const Node node = graph_.node(user);
    switch (node.operation) {
      case Operation::negate:
      case Operation::add:
      case Operation::subtract:
      case Operation::component:
        return true;
      case Operation::multiply:
        return node.a != node.b && degree_.at(node.a == operand ? node.b : node.a) == 0;
      case Operation::divide:
        return degree_.at(node.b) == 0;
      case Operation::solve:
        return degree_.at(user) == degree_.at(operand);
      default:
        return false;
    }
  }

  GraphPointer graph_pointer_;
  const Graph& graph_;
  NodeMap<int> degree_;           // ascending
  NodeMap<NodeId> only_unknown_;  // the only unknown it contains
  NodeMap<Uses> uses_;
  std::vector<NodeId> order_;
};

/// sum_i coefficients_i unknowns_i.
Expr combination(const Vector& coefficients, const Vector& unknowns) {
  Expr sum = 0.0;
  for (std::size_t i = 0; i < unknowns.size(); ++i) sum += coefficients[i] * unknowns[i];
  return sum;
}

}  // namespace

NamedFactors name_factors_of(const Vector& functions, const Vector& unknowns) {
  NamedFactors result{functions, unknowns, {}};
  const Vector factors = Survey(functions, unknowns).shared_factors();
  if (factors.empty()) return result;
  const GraphPointer& graph = unknowns.front().graph();
  Vector symbols;
  for (std::size_t i = 0; i < factors.size(); ++i)
    symbols.push_back(make_symbol(graph, "factor_" + std::to_string(i + 1)));
  result.functions = name_parts(functions, factors, symbols, result.definitions);
  for (std::size_t i = 0; i < factors.size(); ++i)
    result.functions.push_back(symbols[i] - result.definitions[i]);
  result.symbols = concatenate({unknowns, symbols});
  return result;
}

NamedParts name_parts_of(const Vector& functions, const Vector& unknowns) {
  NamedParts result{functions, unknowns, {}};
  const Survey survey(functions, unknowns);
  const Vector linear = survey.linear_parts();
  Vector nodes = linear;
  if (linear.size() > most_parts) return result;
  if (const Vector terms = survey.shared_terms(); linear.size() + terms.size() <= most_parts)
    nodes = concatenate({linear, terms});
  if (nodes.empty()) return result;
  const GraphPointer& graph = unknowns.front().graph();
  const Vector offsets = substitute(linear, unknowns, zeros(unknowns.size()));
  Vector symbols, names, definitions;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    symbols.push_back(make_symbol(graph, "part_" + std::to_string(i + 1)));
    names.push_back(i < linear.size() ? offsets[i] + symbols.back() : symbols.back());
    result.parts.push_back({nodes[i], names.back(), {}, i < linear.size()});
    if (i < linear.size()) result.parts.back().coefficients = gradient(nodes[i], unknowns);
  }
  result.functions = name_parts(functions, nodes, names, definitions);
  result.symbols = concatenate({unknowns, symbols});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Expr value = i < linear.size()
                           ? combination(gradient(definitions[i], result.symbols), result.symbols)
                           : definitions[i];
    result.functions.push_back(symbols[i] - value);
  }
  return result;
}

}  // namespace dalembert
