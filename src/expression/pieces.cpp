#include "dalembert/expression/pieces.hpp"

#include "dalembert/expression/vector.hpp"
#include "new_node.hpp"

namespace dalembert {
namespace {

/// A condition as a number that is >= 0 where it holds.
Expr nonnegative_where_true(const Condition& condition) {
  return condition.negative ? select(condition.number, -1.0, 1.0) : condition.number;
}

}  // namespace

Expr where_nonnegative(const Expr& c, const Expr& x) {
  if (x.is_constant(0.0) || c.facts().nonnegative) return x;
  if (c.is_constant() || (c.facts().nonpositive && c.facts().nonzero)) return 0.0;
  return binary_node(Operation::where_nonnegative, c, x);
}

Expr where_negative(const Expr& c, const Expr& x) {
  if (x.is_constant(0.0) || c.facts().nonnegative) return 0.0;
  if (c.is_constant() || (c.facts().nonpositive && c.facts().nonzero)) return x;
  return binary_node(Operation::where_negative, c, x);
}

Expr select(const Expr& c, const Expr& a, const Expr& b) {
  if (c.is_constant()) return c.facts().nonnegative ? a : b;
  if (same(a, b)) return a;
  const GraphPointer graph = common_graph({{&c, 1}, {&a, 1}, {&b, 1}});
  const Expr condition = in_graph(c, graph);
  const Expr negative = where_negative(condition, in_graph(b, graph));
  return where_nonnegative(condition, in_graph(a, graph)) + negative;
}

Expr max(const Expr& a, const Expr& b) {
  if (need_overlay(a, b)) return in_new_overlay(a, b, [](auto x, auto y) { return max(x, y); });
  return select(a - b, a, b);
}

Expr min(const Expr& a, const Expr& b) {
  if (need_overlay(a, b)) return in_new_overlay(a, b, [](auto x, auto y) { return min(x, y); });
  return select(b - a, a, b);
}

Condition operator!(const Condition& x) { return {x.number, !x.negative}; }

Condition both_of(const Condition& x, const Condition& y) {
  return {select(x, nonnegative_where_true(y), -1.0)};
}

Condition one_of(const Condition& x, const Condition& y) {
  return {select(x, 1.0, nonnegative_where_true(y))};
}

Expr select(const Condition& condition, const Expr& a, const Expr& b) {
  return condition.negative ? select(condition.number, b, a) : select(condition.number, a, b);
}

std::optional<Choice> choice_of(const Graph& graph, NodeId id) {
  const Node& sum = graph.node(id);
  if (sum.operation != Operation::add) return std::nullopt;
  const Node *first = &graph.node(sum.a), *second = &graph.node(sum.b);
  if (first->operation == Operation::where_negative) std::swap(first, second);
  if (first->operation != Operation::where_nonnegative ||
      second->operation != Operation::where_negative || first->a != second->a)
    return std::nullopt;
  return Choice{first->a, first->b, second->b};
}

}  // namespace dalembert
