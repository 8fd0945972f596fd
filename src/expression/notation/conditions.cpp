#include "conditions.hpp"

#include "dalembert/expression/pieces.hpp"

namespace dalembert {
namespace {

bool is_number(const Graph& graph, NodeId id, double value) {
  return graph.node(id).operation == Operation::constant &&
         graph.constant_value(id) == Constant{value};
}

/// c >= 0, or c < 0, as a comparison of what c is a difference of.
Comparison comparison_of(const Graph& graph, NodeId condition, bool negative) {
  const Node& node = graph.node(condition);
  if (node.operation == Operation::subtract) return {node.a, node.b, negative};
  if (node.operation == Operation::negate) return {std::nullopt, node.a, negative};
  return {condition, std::nullopt, negative};
}

/// A choice of -1 or 1 and something else, which is what the condition goes on with.
struct LinkedChoice {
  ConditionLink link = ConditionLink::last;
  bool first_negative = true;
  NodeId rest = 0;
};

LinkedChoice linked_choice(const Graph& graph, const Choice& choice) {
  const NodeId holds = choice.nonnegative, fails = choice.negative;
  if (is_number(graph, holds, -1.0)) return {ConditionLink::both, true, fails};
  if (is_number(graph, fails, -1.0)) return {ConditionLink::both, false, holds};
  if (is_number(graph, fails, 1.0)) return {ConditionLink::either, true, holds};
  if (is_number(graph, holds, 1.0)) return {ConditionLink::either, false, fails};
  return {};
}

Pieces pieces_of_choice(const Graph& graph, const Choice& choice) {
  const Node& condition = graph.node(choice.condition);
  if (condition.operation == Operation::subtract) {
    const NodeId a = condition.a, b = condition.b;
    if (choice.nonnegative == a && choice.negative == b) return {Pieces::Kind::maximum, a, b};
    if (choice.nonnegative == b && choice.negative == a) return {Pieces::Kind::minimum, b, a};
  }
  return {Pieces::Kind::choice, choice.nonnegative, choice.negative,
          read_condition(graph, choice.condition)};
}

/// What counts where the condition has one sign, and zero elsewhere.
Pieces pieces_of_part(const Graph& graph, const Node& node) {
  const bool negative = node.operation == Operation::where_negative;
  if (node.a == node.b) {
    if (negative) return {Pieces::Kind::minimum, std::nullopt, node.a};
    return {Pieces::Kind::maximum, node.a, std::nullopt};
  }
  if (!negative) return {Pieces::Kind::choice, node.b, std::nullopt, read_condition(graph, node.a)};
  if (choice_of(graph, node.a))
    return {Pieces::Kind::choice, std::nullopt, node.b, read_condition(graph, node.a)};
  return {Pieces::Kind::choice, node.b, std::nullopt, {{comparison_of(graph, node.a, true)}}};
}

}  // namespace

std::vector<ConditionStep> read_condition(const Graph& graph, NodeId id) {
  std::vector<ConditionStep> steps;
  while (true) {
    const std::optional<Choice> choice = choice_of(graph, id);
    const LinkedChoice linked = choice ? linked_choice(graph, *choice) : LinkedChoice{};
    if (linked.link == ConditionLink::last) {
      steps.push_back({comparison_of(graph, id, false)});
      return steps;
    }
    const Comparison first = comparison_of(graph, choice->condition, linked.first_negative);
    if (is_number(graph, linked.rest, 1.0)) {
      steps.push_back({first});
      return steps;
    }
    steps.push_back({first, linked.link});
    id = linked.rest;
  }
}

std::vector<NodeId> Pieces::parts() const {
  std::vector<NodeId> result;
  const auto add = [&result](const std::optional<NodeId>& id) {
    if (id) result.push_back(*id);
  };
  add(first);
  add(second);
  for (const ConditionStep& step : condition) {
    add(step.comparison.left);
    add(step.comparison.right);
  }
  return result;
}

std::optional<Pieces> read_pieces(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (has_condition(node.operation)) return pieces_of_part(graph, node);
  if (node.operation != Operation::add) return std::nullopt;
  const std::optional<Choice> choice = choice_of(graph, id);
  if (!choice) return std::nullopt;
  return pieces_of_choice(graph, *choice);
}

}  // namespace dalembert
