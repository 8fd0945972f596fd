#include "repeated_parts.hpp"

#include <algorithm>
#include <unordered_map>

#include "dalembert/expression/query.hpp"

namespace dalembert::study {
namespace {

/// Formulas of fewer operations than this are shown whole, and smaller parts have no names.
constexpr double longest_formula = 120.0, smallest_part = 4.0;

/// How often parts occur, and how long formulas become as texts.
class Lengths {
 public:
  Lengths(const GraphPointer& graph, const Vector& expressions) : graph_(graph) {
    std::vector<NodeId> roots;
    for (const Expr& expression : expressions) {
      if (!expression.is_constant()) roots.push_back(expression.id());
    }
    nodes_ = reachable(*graph, roots);
    std::vector<NodeId> operands;
    for (const NodeId id : nodes_) {
      graph->operands(id, operands);
      // A condition is taken apart where it stands; both pieces of a choice have it.
      const bool skips_first = has_condition(graph->node(id).operation);
      for (std::size_t i = skips_first ? 1 : 0; i < operands.size(); ++i) ++uses_[operands[i]];
    }
    for (const NodeId id : roots) ++uses_[id];
  }

  /// The parts that get a name, operands before users; none where all is short.
  Vector parts() {
    Vector result;
    double longest = 0.0;
    std::unordered_map<NodeId, double> whole, with_names;
    std::vector<NodeId> operands;
    for (const NodeId id : nodes_) {
      graph_->operands(id, operands);
      double& size = with_names[id] = 1.0;
      whole[id] = 1.0;
      for (const NodeId operand : operands) {
        whole[id] += whole[operand];
        size += with_names[operand];
      }
      longest = std::max(longest, whole[id]);
      if (uses_[id] < 2 || size < smallest_part) continue;
      result.emplace_back(graph_, id);
      size = 1.0;
    }
    return longest > longest_formula ? result : Vector{};
  }

 private:
  GraphPointer graph_;
  std::vector<NodeId> nodes_;
  std::unordered_map<NodeId, int> uses_;
};

}  // namespace

NamedParts name_repeated_parts(const GraphPointer& graph, const Vector& expressions) {
  NamedParts result{{}, in_graph(expressions, graph)};
  const Vector parts = Lengths(graph, result.expressions).parts();
  if (parts.empty()) return result;
  Vector symbols, definitions;
  for (std::size_t i = 1; i <= parts.size(); ++i)
    symbols.push_back(make_symbol(graph, "part_" + std::to_string(i)));
  result.expressions = name_parts(result.expressions, parts, symbols, definitions);
  for (std::size_t i = 0; i < definitions.size(); ++i)
    result.parts.emplace_back("part_" + std::to_string(i + 1), definitions[i]);
  return result;
}

}  // namespace dalembert::study
