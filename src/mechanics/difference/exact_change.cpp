#include "dalembert/mechanics/difference/exact_change.hpp"

#include <algorithm>
#include <unordered_map>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

/// A part of a function: its values before and after, and what is between them.
struct ChangingPart {
  Expr before, after, change;
};

using ChangingParts = std::unordered_map<NodeId, ChangingPart>;

Expr change_of_product(const ChangingPart& a, const ChangingPart& b) {
  const Expr second = a.after * b.change;
  return a.change * b.before + second;
}

Expr change_of_quotient(const ChangingPart& a, const ChangingPart& b, const Expr& quotient) {
  return (a.change - quotient * b.change) / b.after;
}

/// atan2(y, x) turns by the angle between the two arguments.
Expr change_of_angle(const ChangingPart& y, const ChangingPart& x) {
  const Expr turned = y.before * x.change, across = x.before * y.change - turned;
  const Expr second = y.before * y.after, along = x.before * x.after + second;
  return atan2(across, along);
}

/// A^-1 b: of A x = b remains A' dx = db - dA x.
Vector change_of_solution(const Graph& graph, NodeId solve, const Vector& before,
                          const ChangingParts& parts) {
  const std::size_t n = graph.node(solve).b;
  const std::vector<NodeId> operands(graph.solve_operands(solve).begin(),
                                     graph.solve_operands(solve).end());
  Matrix after(n, n);
  Vector right_side(n);
  for (std::size_t i = 0; i < n; ++i) {
    right_side[i] = parts.at(operands[n * n + i]).change;
    for (std::size_t j = 0; j < n; ++j) {
      const ChangingPart& entry = parts.at(operands[i * n + j]);
      after(i, j) = entry.after;
      right_side[i] -= entry.change * before[j];
    }
  }
  return solve_linear(after, right_side);
}

/// The change of a sine, with the cosine before it, or of a cosine, with the negative sine: by the
/// angle alone. A middle of the angles would be rounded, and always alike where they move evenly.
Expr change_by_turning(const Expr& before, const Expr& ahead, const Expr& angle) {
  const Expr half = 0.5 * angle, sine = sinc(angle) * angle;
  const Expr lost = 2.0 * square(sinc(half) * half);  // 1 - cos
  const Expr fall = lost * before;
  return ahead * sine - fall;
}

/// The change of a function of one argument.
Expr change_of_function(Operation operation, const ChangingPart& value, const ChangingPart& x) {
  const Expr half = 0.5 * x.change, middle = x.before + half;
  switch (operation) {
    case Operation::negate:
      return -x.change;
    case Operation::sqrt:
      return x.change / (value.before + sqrt(x.after));
    case Operation::sin:
      return change_by_turning(value.before, cos(x.before), x.change);
    case Operation::cos:
      return change_by_turning(value.before, -sin(x.before), x.change);
    case Operation::tan: {
      const Expr second = cos(x.after), product = cos(x.before) * second;
      return sinc(x.change) * x.change / product;
    }
    case Operation::atan: {
      const Expr along = 1.0 + x.before * x.after;
      return atan2(x.change, along);
    }
    case Operation::exp: {
      const Expr growth = sinhc(half) * x.change;
      return exp(middle) * growth;
    }
    case Operation::sinh: {
      const Expr growth = sinhc(half) * x.change;
      return cosh(middle) * growth;
    }
    case Operation::cosh: {
      const Expr growth = sinhc(half) * x.change;
      return sinh(middle) * growth;
    }
    default:
      return value.after - value.before;
  }
}

/// Whether `change_of_node` writes out the change of a node, or subtracts two values without
/// round-off.
bool has_written_change(Operation operation) {
  switch (operation) {
    case Operation::symbol:
    case Operation::constant:
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::atan2:
    case Operation::component:
    case Operation::solve:
    case Operation::negate:
    case Operation::sqrt:
    case Operation::sin:
    case Operation::cos:
    case Operation::tan:
    case Operation::atan:
    case Operation::exp:
    case Operation::sinh:
    case Operation::cosh:
    case Operation::sign:
      return true;
    default:
      return false;
  }
}

/// The change of a node from its two values and the changes of its operands.
Expr change_of_node(const Graph& graph, NodeId id, const ChangingPart& value,
                    const ChangingParts& parts, std::unordered_map<NodeId, Vector>& solutions) {
  if (same(value.before, value.after)) return 0.0;
  const Node& node = graph.node(id);
  switch (node.operation) {
    case Operation::add:
      return parts.at(node.a).change + parts.at(node.b).change;
    case Operation::subtract:
      return parts.at(node.a).change - parts.at(node.b).change;
    case Operation::multiply:
      return change_of_product(parts.at(node.a), parts.at(node.b));
    case Operation::divide:
      return change_of_quotient(parts.at(node.a), parts.at(node.b), value.before);
    case Operation::atan2:
      return change_of_angle(parts.at(node.a), parts.at(node.b));
    case Operation::component:
      return solutions.at(node.a)[node.b];
    case Operation::power:
    case Operation::symbol:
    case Operation::constant:
      return value.after - value.before;
    default: {
      const auto argument = parts.find(node.a);
      if (argument == parts.end()) return value.after - value.before;
      return change_of_function(node.operation, value, argument->second);
    }
  }
}

}  // namespace

Vector exact_change(const Vector& functions, const Vector& variables, const Vector& from,
                    const Vector& change) {
  require_size("exact_change: the point", from.size(), variables.size());
  require_size("exact_change: the change", change.size(), variables.size());
  const GraphPointer graph = common_graph({functions, variables, from, change});
  if (!graph) return zeros(functions.size());  // constants alone
  const Vector all = in_graph(functions, graph), start = in_graph(from, graph),
               step = in_graph(change, graph), end = start + step;
  std::vector<NodeId> roots;
  for (const Expr& function : all) roots.push_back(function.id_in(*graph));
  const std::vector<NodeId> order = reachable(*graph, roots);
  // A solve node has no value of its own; its components have.
  Vector values;
  for (const NodeId id : order) {
    const bool has_value = graph->node(id).operation != Operation::solve;
    values.push_back(has_value ? Expr(graph, id) : Expr(0.0));
  }
  const Vector before = substitute(values, variables, start),
               after = substitute(values, variables, end);
  ChangingParts parts;
  std::unordered_map<NodeId, Vector> solutions;
  for (std::size_t i = 0; i < variables.size(); ++i)
    parts[variables[i].id_in(*graph)] = {start[i], end[i], step[i]};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const NodeId id = order[k];
    if (parts.contains(id)) continue;
    if (graph->node(id).operation == Operation::solve) {
      Vector solution;
      for (NodeId i = 0; i < graph->node(id).b; ++i) {
        const Expr entry(graph, graph->component(id, i));
        solution.push_back(substitute(entry, variables, start));
      }
      solutions[id] = change_of_solution(*graph, id, solution, parts);
      continue;
    }
    ChangingPart part{before[k], after[k], 0.0};
    part.change = change_of_node(*graph, id, part, parts, solutions);
    // The value after the change is that before it and the change: computed from the new place, it
    // would have the rounding of the place, too.
    if (!same(part.before, part.after)) part.after = part.before + part.change;
    parts[id] = part;
  }
  Vector result;
  for (const NodeId root : roots) result.push_back(parts.at(root).change);
  return result;
}

bool has_exact_change(const Vector& functions, const Vector& variables) {
  const GraphPointer graph = common_graph({functions, variables});
  if (!graph) return true;
  std::vector<NodeId> roots;
  for (const Expr& function : in_graph(functions, graph)) roots.push_back(function.id_in(*graph));
  const Vector all = in_graph(variables, graph);
  return std::ranges::all_of(reachable(*graph, roots), [&](NodeId id) {
    return has_written_change(graph->node(id).operation) || !depends_on(Expr(graph, id), all);
  });
}

Matrix exact_change(const Matrix& functions, const Vector& variables, const Vector& from,
                    const Vector& change) {
  Matrix result = functions;
  result.entries() = exact_change(functions.entries(), variables, from, change);
  return result;
}

}  // namespace dalembert
