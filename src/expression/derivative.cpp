#include "dalembert/expression/derivative.hpp"

#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/node_map.hpp"
#include "dalembert/expression/pieces.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/sparse/dependent_nodes.hpp"
#include "dalembert/expression/table/table.hpp"

namespace dalembert {
namespace {

using Adjoints = NodeMap<Expr>;

/// The derivative of a unary function, given its argument and its value.
Expr unary_slope(const Graph& graph, NodeId id, const Expr& x, const Expr& f) {
  switch (graph.node(id).operation) {
#define DALEMBERT_ROW(name, constant, argument, sign_rule, slope) \
  case Operation::name:                                           \
    return slope;
    DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
    case Operation::sinc: {
      // One node after the other, here and below: in one order with every compiler.
      const Expr next = sinc(x, graph.node(id).b + 1);
      return -x * next;
    }
    case Operation::sinhc:
      return x * sinhc(x, graph.node(id).b + 1);
    case Operation::sinc_root:  // its node holds the order + 1
      return -0.5 * sinc_root(x, static_cast<int>(graph.node(id).b));
    case Operation::table:
      return look_up(graph.table(id), x, Graph::derivative_of(graph.node(id)) + 1);
    case Operation::function:
      return opaque_function(graph.name(id) + "'", x);
    default:
      throw std::logic_error("derivative: unknown operation");
  }
}

/// x = A^-1 b: the right-hand side receives A^-T xbar, entry (i, j) of A receives -bbar_i x_j.
void propagate_solve(const GraphPointer& graph, NodeId id,
                     const std::unordered_map<NodeId, Vector>& component_bars, Adjoints& bars) {
  const auto entry = component_bars.find(id);
  if (entry == component_bars.end()) return;
  const std::vector<NodeId> operands(graph->solve_operands(id).begin(),
                                     graph->solve_operands(id).end());
  const std::size_t n = graph->node(id).b;
  Matrix transposed(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) transposed(j, i) = Expr(graph, operands[i * n + j]);
  }
  const Vector right_bar = solve_linear(transposed, entry->second);
  for (std::size_t i = 0; i < n; ++i) {
    bars[operands[n * n + i]] += right_bar[i];
    for (std::size_t j = 0; j < n; ++j) {
      const Expr x_j(graph, graph->component(id, static_cast<NodeId>(j)));
      bars[operands[i * n + j]] -= right_bar[i] * x_j;
    }
  }
}

void propagate(const GraphPointer& graph, NodeId id, const Expr& bar, Adjoints& bars) {
  const Node node = graph->node(id);
  const Expr value(graph, id);
  switch (node.operation) {
    case Operation::negate:
      bars[node.a] -= bar;
      return;
    case Operation::add:
      bars[node.a] += bar;
      bars[node.b] += bar;
      return;
    case Operation::subtract:
      bars[node.a] += bar;
      bars[node.b] -= bar;
      return;
    case Operation::multiply:
      bars[node.a] += bar * Expr(graph, node.b);
      bars[node.b] += bar * Expr(graph, node.a);
      return;
    case Operation::divide: {
      const Expr quotient_bar = bar / Expr(graph, node.b);
      bars[node.a] += quotient_bar;
      bars[node.b] -= quotient_bar * value;
      return;
    }
    case Operation::power: {
      const Expr base(graph, node.a), exponent(graph, node.b), lower = pow(base, exponent - 1.0);
      bars[node.a] += bar * exponent * lower;
      if (exponent.is_constant()) return;
      const Expr logarithm = log(base);
      bars[node.b] += bar * value * logarithm;
      return;
    }
    case Operation::atan2: {
      const Expr y(graph, node.a), x(graph, node.b), height = square(y);
      const Expr scaled = bar / (square(x) + height);
      bars[node.a] += scaled * x;
      bars[node.b] -= scaled * y;
      return;
    }
    default:
      bars[node.a] += bar * unary_slope(*graph, id, Expr(graph, node.a), value);
  }
}

/// The derivatives of branches that were found before, by their nodes.
using BranchSlopes = std::unordered_map<NodeId, Vector>;

/// What the sweeps through several functions share: only nodes between variables and functions
/// carry a derivative.
struct Sweeps {
  GraphPointer graph;
  Vector variables;
  DependentNodes varying;
  BranchSlopes branches;

  /// Functions and variables are in `in`.
  Sweeps(const GraphPointer& in, const Vector& functions, Vector its_variables)
      : graph(in), variables(std::move(its_variables)), varying(*in, functions, variables) {}
};

/// One reverse sweep.
Vector reverse_sweep(Sweeps& sweeps, const Expr& function);

/// What is chosen by a condition gets a sweep of its own, so that the condition chooses among whole
/// derivatives: those of a branch that is not taken may be infinite or nan.
void propagate_chosen(Sweeps& sweeps, NodeId id, const Expr& bar, Adjoints& bars) {
  const Node node = sweeps.graph->node(id);
  if (!sweeps.branches.contains(node.b))
    sweeps.branches.emplace(node.b, reverse_sweep(sweeps, Expr(sweeps.graph, node.b)));
  const Vector slopes = sweeps.branches.at(node.b);
  const Expr condition(sweeps.graph, node.a);
  for (std::size_t i = 0; i < sweeps.variables.size(); ++i)
    if (!slopes[i].is_constant(0.0))
      bars[sweeps.variables[i].id()] += rebuild(node, condition, bar * slopes[i]);
}

/// The adjoints of all nodes that carry one, after a reverse sweep.
Adjoints adjoints_of(Sweeps& sweeps, const Expr& function) {
  Adjoints bars;
  if (function.is_constant()) return bars;
  const GraphPointer& graph = sweeps.graph;
  const std::vector<NodeId> order = sweeps.varying.below(function.id());
  std::unordered_map<NodeId, Vector> component_bars;
  bars[function.id()] = 1.0;
  for (auto position = order.rbegin(); position != order.rend(); ++position) {
    const NodeId id = *position;
    const Node node = graph->node(id);
    if (node.operation == Operation::symbol) continue;
    if (node.operation == Operation::solve) {
      propagate_solve(graph, id, component_bars, bars);
      continue;
    }
    const auto bar = bars.find(id);
    if (bar == bars.end() || bar->second.is_constant(0.0)) continue;
    if (node.operation == Operation::component) {
      auto& parts = component_bars.try_emplace(node.a, zeros(graph->node(node.a).b)).first->second;
      parts[node.b] += bar->second;
    } else if (has_condition(node.operation)) {
      if (sweeps.varying.contains(node.b)) propagate_chosen(sweeps, id, Expr(bar->second), bars);
    } else {
      propagate(graph, id, Expr(bar->second), bars);
    }
  }
  return bars;
}

Vector reverse_sweep(Sweeps& sweeps, const Expr& function) {
  const Vector& variables = sweeps.variables;
  Vector result(variables.size(), Expr(0.0));
  const Adjoints bars = adjoints_of(sweeps, function);
  for (std::size_t i = 0; i < variables.size() && !bars.empty(); ++i) {
    const auto bar = bars.find(variables[i].id());
    if (bar != bars.end()) result[i] = bar->second;
  }
  return result;
}

/// The derivatives of all functions in one graph.
Matrix slopes_in(const GraphPointer& graph, const Vector& functions, const Vector& variables) {
  for (const Expr& variable : variables) {
    if (!variable.is(Operation::symbol))
      throw RequestError("derivatives are taken with respect to symbols");
  }
  Matrix result(functions.size(), variables.size());
  if (graph == nullptr) return result;
  Sweeps sweeps(graph, in_graph(functions, graph), in_graph(variables, graph));
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const Vector row = reverse_sweep(sweeps, in_graph(functions[i], graph));
    for (std::size_t j = 0; j < row.size(); ++j) result(i, j) = row[j];
  }
  return result;
}

/// The derivatives of nodes along a direction, by one forward sweep in the order of the nodes.
class ForwardSweep {
 public:
  /// All in `graph`.
  ForwardSweep(GraphPointer graph, const Vector& functions, const Vector& variables,
               const Vector& direction)
      : graph_(std::move(graph)), varying_(*graph_, functions, variables) {
    for (std::size_t i = 0; i < variables.size(); ++i) rates_[variables[i].id()] = direction[i];
  }

  Expr operator()(const Expr& function) {
    if (function.is_constant()) return 0.0;
    for (const NodeId id : varying_.below(function.id())) {
      if (!rates_.contains(id)) rates_.emplace(id, rate(id));
    }
    return rate_of(function.id());
  }

 private:
  Expr rate_of(NodeId id) const {
    const auto found = rates_.find(id);
    return found == rates_.end() ? Expr(0.0) : found->second;
  }

  /// Of x with A x = b: the solution of A x' = b' - A' x.
  const Vector& solution_rate(NodeId id) {
    const auto [place, is_new] = solutions_.try_emplace(id);
    if (!is_new) return place->second;
    const std::vector<NodeId> operands(graph_->solve_operands(id).begin(),
                                       graph_->solve_operands(id).end());
    const std::size_t n = graph_->node(id).b;
    Matrix matrix(n, n);
    Vector right = zeros(n);
    for (std::size_t i = 0; i < n; ++i) {
      right[i] = rate_of(operands[n * n + i]);
      for (std::size_t j = 0; j < n; ++j) {
        matrix(i, j) = Expr(graph_, operands[i * n + j]);
        const Expr slope = rate_of(operands[i * n + j]);
        if (slope.is_constant(0.0)) continue;
        const Expr x_j(graph_, graph_->component(id, static_cast<NodeId>(j)));
        right[i] -= slope * x_j;
      }
    }
    return place->second = solve_linear(matrix, right);
  }

  Expr rate(NodeId id) {
    const Node node = graph_->node(id);
    const Expr value(graph_, id);
    const auto of_a = [&] { return rate_of(node.a); };
    const auto of_b = [&] { return rate_of(node.b); };
    switch (node.operation) {
      case Operation::symbol:
        return rate_of(id);
      case Operation::solve:
        return 0.0;  // its components have the rates
      case Operation::component:
        return solution_rate(node.a)[node.b];
      case Operation::where_nonnegative:
      case Operation::where_negative:
        return rebuild(node, Expr(graph_, node.a), of_b());
      case Operation::negate:
        return -of_a();
      case Operation::add:
        return of_a() + of_b();
      case Operation::subtract:
        return of_a() - of_b();
      case Operation::multiply: {
        // One node after the other, here and below: in one order with every compiler.
        const Expr by_first = of_a() * Expr(graph_, node.b);
        const Expr by_second = of_b() * Expr(graph_, node.a);
        return by_first + by_second;
      }
      case Operation::divide: {
        const Expr by_second = value * of_b();
        return (of_a() - by_second) / Expr(graph_, node.b);
      }
      case Operation::power: {
        const Expr base(graph_, node.a), exponent(graph_, node.b),
            lower = pow(base, exponent - 1.0);
        const Expr by_base = exponent * lower * of_a();
        if (exponent.is_constant() || of_b().is_constant(0.0)) return by_base;
        const Expr logarithm = log(base);
        return by_base + value * logarithm * of_b();
      }
      case Operation::atan2: {
        const Expr y(graph_, node.a), x(graph_, node.b), height = square(y);
        const Expr length = square(x) + height;
        const Expr by_first = x * of_a(), by_second = y * of_b();
        return (by_first - by_second) / length;
      }
      default: {
        const Expr slope = unary_slope(*graph_, id, Expr(graph_, node.a), value);
        return slope * of_a();
      }
    }
  }

  GraphPointer graph_;
  DependentNodes varying_;
  NodeMap<Expr> rates_;
  std::unordered_map<NodeId, Vector> solutions_;
};

}  // namespace

Vector gradient(const Expr& function, const Vector& variables) {
  return jacobian({function}, variables).entries();
}

Matrix jacobian(const Vector& functions, const Vector& variables) {
  return slopes_in(common_graph({functions, variables}), functions, variables);
}

SparseRows<Expr> sparse_jacobian(const Vector& functions, const Vector& variables) {
  SparseRows<Expr> rows(functions.size());
  const GraphPointer graph = common_graph({functions, variables});
  if (graph == nullptr) return rows;
  Sweeps sweeps(graph, in_graph(functions, graph), in_graph(variables, graph));
  NodeMap<std::size_t> index;
  for (std::size_t j = 0; j < variables.size(); ++j) index.emplace(sweeps.variables[j].id(), j);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    for (const auto& [id, bar] : adjoints_of(sweeps, in_graph(functions[i], graph))) {
      const auto found = index.find(id);
      if (found != index.end() && !bar.is_constant(0.0)) rows[i].emplace(found->second, bar);
    }
  }
  return rows;
}

Vector directional_derivative(const Vector& functions, const Vector& variables,
                              const Vector& direction) {
  require_size("the direction of a derivative", direction.size(), variables.size());
  const GraphPointer graph = common_graph({functions, variables, direction});
  return slopes_in(graph, functions, variables) * direction;
}

Vector forward_derivative(const Vector& functions, const Vector& variables,
                          const Vector& direction) {
  require_size("the direction of a derivative", direction.size(), variables.size());
  for (const Expr& variable : variables) {
    if (!variable.is(Operation::symbol))
      throw RequestError("derivatives are taken with respect to symbols");
  }
  const GraphPointer graph = common_graph({functions, variables, direction});
  if (graph == nullptr) return zeros(functions.size());
  const Vector own = in_graph(functions, graph);
  ForwardSweep sweep(graph, own, in_graph(variables, graph), in_graph(direction, graph));
  Vector result;
  for (const Expr& function : own) result.push_back(sweep(function));
  return result;
}

}  // namespace dalembert
