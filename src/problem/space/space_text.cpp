#include "dalembert/problem/space/space_text.hpp"

#include <algorithm>
#include <unordered_map>

#include "dalembert/expression/printer.hpp"
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
      for (const NodeId operand : operands) ++uses_[operand];
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

/// The names of equations, in the order of `equations_of`.
std::vector<std::string> names_of(const ProblemFile& problem, const System& system) {
  std::vector<std::string> names{problem.lagrangian ? "Lagrangian" : "kinetic energy"};
  if (!problem.lagrangian) names.emplace_back("potential");
  const std::vector<std::string> multipliers = system.multiplier_names();
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    const std::string kind = i < system.nonholonomic_count() ? "constraint " : "holonomic ";
    const std::string number = "lambda_" + std::to_string(i + 1);
    names.push_back(kind +
                    (multipliers[i] == number ? number : multipliers[i] + " (" + number + ")"));
  }
  return names;
}

Vector equations_of(const ProblemFile& problem, const System& system) {
  const Mechanics& mechanics = system.mechanics();
  Vector equations;
  if (problem.lagrangian) {
    equations.push_back(*mechanics.lagrangian);
  } else {
    equations = {mechanics.kinetic, mechanics.potential};
  }
  return concatenate({equations, mechanics.constraints, mechanics.holonomic});
}

}  // namespace

SpaceText space_text(const ProblemFile& problem, const System& system) {
  Vector equations = equations_of(problem, system);
  const std::vector<std::string> names = names_of(problem, system);
  const GraphPointer graph = system.symbols().t.graph();
  equations = in_graph(equations, graph);
  const Vector parts = Lengths(graph, equations).parts();
  Vector symbols, definitions;
  for (std::size_t i = 1; i <= parts.size(); ++i)
    symbols.push_back(make_symbol(graph, "part_" + std::to_string(i)));
  if (!parts.empty()) equations = name_parts(equations, parts, symbols, definitions);
  SpaceText text;
  for (std::size_t i = 0; i < definitions.size(); ++i)
    text.parts.emplace_back(to_string(symbols[i]), to_string(definitions[i]));
  for (std::size_t i = 0; i < equations.size(); ++i)
    text.equations.emplace_back(names[i], to_string(equations[i]));
  return text;
}

}  // namespace dalembert::study
