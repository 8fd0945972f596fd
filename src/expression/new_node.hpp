#pragma once
// How expressions make nodes: in the graph of their operands, or in a new overlay of it.

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// Throws the RequestError of expressions that do not combine.
[[noreturn]] void refuse_foreign();
/// The graph of an expression that is no constant; a new overlay if it is frozen.
GraphPointer open_graph(const Expr& x);
/// The one of two graphs that has the nodes of both; RequestError if neither has.
const GraphPointer& larger_graph(const GraphPointer& x, const GraphPointer& y);
/// An open graph for both; one of them is no constant.
GraphPointer graph_of_both(const Expr& x, const Expr& y);
/// Whether a result of x and y needs a new overlay.
bool need_overlay(const Expr& x, const Expr& y);
/// The operation with both operands brought into one new overlay first, so that all parts of the
/// result are made there.
template <class Operate>
Expr in_new_overlay(const Expr& x, const Expr& y, Operate operate) {
  const GraphPointer graph = graph_of_both(x, y);
  return operate(in_graph(x, graph), in_graph(y, graph));
}

/// The node of an operation with two operands, one of which is no constant.
Expr binary_node(Operation operation, const Expr& x, const Expr& y);
/// The node of a unary operation on an expression that is no constant.
Expr unary_node(Operation operation, const Expr& x, NodeId parameter = 0);

}  // namespace dalembert
