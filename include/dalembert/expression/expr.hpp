#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include "dalembert/expression/graph.hpp"

namespace dalembert {

/// A real expression: a constant, or a node of a graph, which it keeps alive. A small value, cheap
/// to copy.
///
/// The operators simplify only where the result is the same for all finite arguments: zeros and
/// ones are absorbed (a literal zero times anything is zero: it is structural), signs are
/// collected, constants are folded to 106 bits, `(x + y) - x` is `y`.
///
/// Results live in the graph of the operands. Of an expression of a frozen graph and one of an
/// overlay of it, the result lives in the overlay; of expressions of a frozen graph alone, in a new
/// overlay. Combining expressions of two overlays, or of unrelated graphs, throws RequestError.
class Expr {
 public:
  Expr() = default;
  Expr(double value) : constant_{value, 0.0} {}
  Expr(Constant value) : constant_(value) {}
  /// A long double would lose digits; with `Constant` they stay. It also keeps `sin(x)` of a long
  /// double from meaning an expression.
  template <std::same_as<long double> T>
  Expr(T value) = delete;
  Expr(GraphPointer graph, NodeId id);

  bool is_constant() const { return graph_ == nullptr; }  ///< true if it has no graph
  /// True for the constant of exactly this value.
  bool is_constant(double value) const {
    return is_constant() && constant_ == Constant{value, 0.0};
  }
  /// Value of a constant; meaningless otherwise.
  const Constant& constant() const { return constant_; }
  /// The graph, or nullptr for a constant.
  const GraphPointer& graph() const& { return graph_; }
  GraphPointer graph() && { return std::move(graph_); }  ///< graph, moved out
  NodeId id() const { return id_; }  ///< node in the graph; meaningless for a constant
  /// The node of this expression in `graph`, where a constant is added if need be. RequestError if
  /// the graph does not have it.
  NodeId id_in(Graph& graph) const;
  /// Operation of the node; `Operation::constant` for a constant.
  Operation operation() const {
    return is_constant() ? Operation::constant : graph_->node(id_).operation;
  }
  /// True if this is the operation of the node.
  bool is(Operation operation) const { return this->operation() == operation; }
  /// Known sign of the value, for every admissible value of the symbols.
  SignFacts facts() const;
  /// True if it depends on constants and steady symbols only.
  bool is_steady() const { return is_constant() || graph_->node(id_).steady; }
  /// First operand of a unary or binary node.
  Expr first() const { return {graph_, graph_->node(id_).a}; }
  /// Second operand of a binary node.
  Expr second() const { return {graph_, graph_->node(id_).b}; }

  /// True if both are the same node or the same constant.
  friend bool same(const Expr& x, const Expr& y) {
    if (x.graph_ != y.graph_) return x.id_ == y.id_ && x.is_shared_with(y);
    return x.is_constant() ? x.constant_ == y.constant_ : x.id_ == y.id_;
  }

  Expr& operator+=(const Expr& y);
  Expr& operator-=(const Expr& y);
  Expr& operator*=(const Expr& y);

 private:
  /// True if the graph of the other expression has the node of this one, too.
  bool is_shared_with(const Expr& other) const;

  GraphPointer graph_;
  NodeId id_ = 0;
  Constant constant_;
};

/// The graph in which all these expressions can be combined, one that is not frozen: their own, or
/// the overlay to which some of them belong, or a new overlay of the frozen graph to which all of
/// them belong. Null if all are constants. RequestError where there is none: expressions of two
/// overlays, or of unrelated graphs.
GraphPointer common_graph(std::initializer_list<std::span<const Expr>> expressions);

/// An expression as one of `graph`: its own, or an overlay of it. RequestError for others.
Expr in_graph(const Expr& expression, const GraphPointer& graph);

/// A new symbol of the graph. The facts state what is known of its sign for every admissible value;
/// a steady symbol (a parameter, the step size) stays the same from step to step.
Expr make_symbol(const GraphPointer& graph, std::string name, SignFacts facts = {},
                 bool steady = false);

Expr operator-(const Expr& x);
Expr operator+(const Expr& x, const Expr& y);
Expr operator-(const Expr& x, const Expr& y);
Expr operator*(const Expr& x, const Expr& y);
Expr operator/(const Expr& x, const Expr& y);
inline Expr& Expr::operator+=(const Expr& y) { return *this = *this + y; }
inline Expr& Expr::operator-=(const Expr& y) { return *this = *this - y; }
inline Expr& Expr::operator*=(const Expr& y) { return *this = *this * y; }

/// x^y: a product for whole y of moderate size, a square root for y = 1/2, else exp(y log x).
Expr pow(const Expr& x, const Expr& y);
Expr square(const Expr& x);  ///< x * x
/// Angle of the point (x, y), from -pi to pi.
Expr atan2(const Expr& y, const Expr& x);
/// The elementary functions sqrt, sin, cos, ... of the table. sign(x) is +1 where x >= 0, else -1;
/// its derivative is taken as zero, like that of floor(x), the largest whole number not above x.
#define DALEMBERT_ROW(name, ...) Expr name(const Expr& x);
DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
/// f_order(x) with f_0(x) = sin(x)/x and f_k' = -x f_{k+1}: spherical Bessel functions divided by
/// x^k, smooth at 0. Source: [DLMF], Eq. 10.51.3.
Expr sinc(const Expr& x, unsigned order = 0);
/// g_order(x) with g_0(x) = sinh(x)/x and g_k' = x g_{k+1}, smooth at 0.
Expr sinhc(const Expr& x, unsigned order = 0);
/// F_order(t) = f_order(sqrt t) with f_order as above and f_{-1} = cos, order >= -1 (RequestError):
/// F_k' = -F_{k+1}/2, smooth at 0, for functions of a rotation vector x with t = x.x. Meant for
/// t >= 0; see numeric/sinc.hpp for negative t.
Expr sinc_root(const Expr& t, int order);
/// An opaque function, printed as `name(argument)`; its derivative is printed as `name'(argument)`.
Expr opaque_function(const std::string& name, const Expr& argument);
/// Ending of the names of transposed matrices.
inline constexpr std::string_view transposed_ending = "^T";

/// Rebuilds a node of the kind of `like` on new operands, with simplification. Unary and binary
/// kinds only.
Expr rebuild(const Node& like, const Expr& a, const Expr& b);

}  // namespace dalembert
