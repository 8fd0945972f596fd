#include "new_node.hpp"

#include <utility>

#include "dalembert/error.hpp"

namespace dalembert {
namespace {

/// Whether `graph` is an overlay, direct or not, of `base`.
bool overlays(const Graph& graph, const Graph& base) {
  return graph.shared_size(base) == base.size() && base.is_frozen();
}

}  // namespace

void refuse_foreign() {
  throw RequestError(
      "the expressions belong to different systems, or were built from symbols that were taken "
      "twice: take symbols() once and build everything from them");
}

GraphPointer open_graph(const Expr& x) {
  return x.graph()->is_frozen() ? std::make_shared<Graph>(x.graph()) : x.graph();
}

const GraphPointer& larger_graph(const GraphPointer& x, const GraphPointer& y) {
  if (x == y || y == nullptr) return x;
  if (x == nullptr || overlays(*y, *x)) return y;
  if (overlays(*x, *y)) return x;
  refuse_foreign();
}

GraphPointer graph_of_both(const Expr& x, const Expr& y) {
  const GraphPointer& graph = larger_graph(x.graph(), y.graph());
  return graph->is_frozen() ? std::make_shared<Graph>(graph) : graph;
}

bool need_overlay(const Expr& x, const Expr& y) {
  const auto closed = [](const Expr& z) { return z.is_constant() || z.graph()->is_frozen(); };
  return closed(x) && closed(y) && !(x.is_constant() && y.is_constant());
}

Expr binary_node(Operation operation, const Expr& x, const Expr& y) {
  GraphPointer graph = graph_of_both(x, y);
  const NodeId a = x.id_in(*graph), b = y.id_in(*graph), id = graph->binary(operation, a, b);
  return {std::move(graph), id};
}

Expr unary_node(Operation operation, const Expr& x, NodeId parameter) {
  GraphPointer graph = open_graph(x);
  const NodeId id = graph->unary(operation, x.id(), parameter);
  return {std::move(graph), id};
}

}  // namespace dalembert
