#include "dalembert/expression/expr.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "new_node.hpp"

namespace dalembert {
namespace {

/// A commutative node with its operands in one canonical order, so that x + y and y + x are the
/// same.
Expr commutative(Operation operation, const Expr& x, const Expr& y) {
  GraphPointer graph = graph_of_both(x, y);
  NodeId a = x.id_in(*graph), b = y.id_in(*graph);
  const bool keep = x.is_constant() || (!y.is_constant() && a <= b);
  if (!keep) std::swap(a, b);
  const NodeId id = graph->binary(operation, a, b);
  return {std::move(graph), id};
}

/// x as coefficient * rest, where the coefficient is steady (a constant, or made of parameters and
/// the step size).
struct Product {
  Expr coefficient = 1.0, rest = 1.0;
};

Product split_coefficient(const Expr& x) {
  if (x.is_steady()) return {x, 1.0};
  if (x.is(Operation::negate)) {
    const Product inner = split_coefficient(x.first());
    return {-inner.coefficient, inner.rest};
  }
  if (x.is(Operation::multiply) && x.first().is_steady()) return {x.first(), x.second()};
  return {1.0, x};
}

/// Whether a coefficient is written with a minus sign.
bool has_minus(const Expr& coefficient) {
  if (coefficient.is_constant()) return coefficient.constant().high < 0.0;
  if (coefficient.is(Operation::negate)) return true;
  return coefficient.is(Operation::multiply) && has_minus(coefficient.first());
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::isfinite(value) && std::fabs(std::frexp(value, &exponent)) == 0.5;
}

}  // namespace

Expr::Expr(GraphPointer graph, NodeId id) {
  if (graph->node(id).operation == Operation::constant) {
    constant_ = graph->constant_value(id);
  } else {
    graph_ = std::move(graph);
    id_ = id;
  }
}

NodeId Expr::id_in(Graph& graph) const {
  if (is_constant()) return graph.constant(constant_);
  if (graph_.get() != &graph && id_ >= graph_->shared_size(graph)) refuse_foreign();
  return id_;
}

bool Expr::is_shared_with(const Expr& other) const {
  return graph_ != nullptr && other.graph_ != nullptr && id_ < graph_->shared_size(*other.graph_);
}

GraphPointer common_graph(std::initializer_list<std::span<const Expr>> expressions) {
  const GraphPointer* common = nullptr;
  for (const std::span<const Expr> part : expressions) {
    for (const Expr& expression : part) {
      const GraphPointer& graph = expression.graph();
      if (graph != nullptr && (common == nullptr || graph != *common))
        common = common == nullptr ? &graph : &larger_graph(*common, graph);
    }
  }
  if (common == nullptr) return nullptr;
  return (*common)->is_frozen() ? std::make_shared<Graph>(*common) : *common;
}

Expr in_graph(const Expr& expression, const GraphPointer& graph) {
  if (expression.is_constant() || expression.graph() == graph) return expression;
  return {graph, expression.id_in(*graph)};
}

SignFacts Expr::facts() const {
  if (!is_constant()) return graph_->node(id_).facts;
  return {constant_.high != 0.0, constant_.high >= 0.0, constant_.high <= 0.0};
}

Expr make_symbol(const GraphPointer& graph, std::string name, SignFacts facts, bool steady) {
  return {graph, graph->symbol(std::move(name), facts, steady)};
}

namespace {

Expr join(const Product& product) {
  if (product.rest.is_constant(1.0) || product.coefficient.is_constant(0.0))
    return product.coefficient;
  if (product.coefficient.is_constant(1.0)) return product.rest;
  if (product.coefficient.is_constant(-1.0)) {
    return unary_node(Operation::negate, product.rest);
  }
  return binary_node(Operation::multiply, product.coefficient, product.rest);
}

/// A product of two steady factors: constants first and folded.
Expr steady_product(const Expr& x, const Expr& y) {
  if (x.is_constant() && y.is_constant()) return x.constant() * y.constant();
  if (y.is_constant()) return steady_product(y, x);
  if (x.is_constant(0.0)) return 0.0;
  if (x.is_constant(1.0)) return y;
  if (y.is(Operation::negate)) return -steady_product(x, y.first());
  if (x.is(Operation::negate)) return -steady_product(x.first(), y);
  if (y.is(Operation::multiply) && y.first().is_constant()) {
    return steady_product(steady_product(x, y.first()), y.second());
  }
  if (x.is(Operation::multiply) && x.first().is_constant()) {
    return steady_product(x.first(), steady_product(x.second(), y));
  }
  if (x.is_constant(-1.0)) return unary_node(Operation::negate, y);
  return commutative(Operation::multiply, x, y);
}

/// The sum of coefficient * rest with the same rest, unless that would only hide the common
/// factor 1.
bool like_terms(const Product& x, const Product& y) {
  return same(x.rest, y.rest) && !(x.rest.is_constant(1.0) &&
                                   !(x.coefficient.is_constant() && y.coefficient.is_constant()));
}

}  // namespace

Expr operator-(const Expr& x) {
  if (x.is_constant()) return -x.constant();
  if (x.is(Operation::negate)) return x.first();
  if (x.is(Operation::subtract)) return x.second() - x.first();
  if (x.is(Operation::multiply) && x.first().is_constant()) {
    return join({-x.first().constant(), x.second()});
  }
  if (x.is(Operation::multiply) && x.first().is_steady() && !x.second().is_steady()) {
    return join({-x.first(), x.second()});
  }
  return unary_node(Operation::negate, x);
}

Expr operator+(const Expr& x, const Expr& y) {
  if (need_overlay(x, y)) return in_new_overlay(x, y, std::plus<>{});
  if (x.is_constant() && y.is_constant()) return x.constant() + y.constant();
  if (x.is_constant(0.0)) return y;
  if (y.is_constant(0.0)) return x;
  if (y.is(Operation::negate)) return x - y.first();
  if (x.is(Operation::negate)) return y - x.first();
  if (x.is(Operation::subtract) && same(x.second(), y)) return x.first();
  if (y.is(Operation::subtract) && same(y.second(), x)) return y.first();
  if (same(x, y)) return Expr(2.0) * x;
  const Product left = split_coefficient(x), right = split_coefficient(y);
  if (like_terms(left, right)) return (left.coefficient + right.coefficient) * left.rest;
  if (!y.is_constant() && has_minus(right.coefficient))
    return x - join({-right.coefficient, right.rest});
  if (!x.is_constant() && has_minus(left.coefficient))
    return y - join({-left.coefficient, left.rest});
  return commutative(Operation::add, x, y);
}

Expr operator-(const Expr& x, const Expr& y) {
  if (need_overlay(x, y)) return in_new_overlay(x, y, std::minus<>{});
  if (x.is_constant() && y.is_constant()) return x.constant() - y.constant();
  if (y.is_constant(0.0)) return x;
  if (x.is_constant(0.0)) return -y;
  if (same(x, y)) return 0.0;
  if (y.is(Operation::negate)) return x + y.first();
  if (x.is(Operation::negate)) return -(x.first() + y);
  if (x.is(Operation::add) && same(x.first(), y)) return x.second();
  if (x.is(Operation::add) && same(x.second(), y)) return x.first();
  if (x.is(Operation::subtract) && same(x.first(), y)) return -x.second();
  if (y.is(Operation::add) && same(y.first(), x)) return -y.second();
  if (y.is(Operation::add) && same(y.second(), x)) return -y.first();
  if (y.is(Operation::subtract) && same(y.first(), x)) return y.second();
  if (x.is(Operation::add) && y.is(Operation::add)) {
    // What two sums share cancels exactly; the difference of the rest keeps its digits.
    if (same(x.first(), y.first())) return x.second() - y.second();
    if (same(x.first(), y.second())) return x.second() - y.first();
    if (same(x.second(), y.first())) return x.first() - y.second();
    if (same(x.second(), y.second())) return x.first() - y.first();
  }
  const Product left = split_coefficient(x), right = split_coefficient(y);
  if (like_terms(left, right)) return (left.coefficient - right.coefficient) * left.rest;
  if (!y.is_constant() && has_minus(right.coefficient))
    return x + join({-right.coefficient, right.rest});
  return binary_node(Operation::subtract, x, y);
}

Expr operator*(const Expr& x, const Expr& y) {
  if (need_overlay(x, y)) return in_new_overlay(x, y, std::multiplies<>{});
  if (x.is_constant(0.0) || y.is_constant(0.0)) return 0.0;
  if (x.is_steady() && y.is_steady()) return steady_product(x, y);
  const Product left = split_coefficient(x), right = split_coefficient(y);
  const Expr coefficient = steady_product(left.coefficient, right.coefficient);
  if (left.rest.is_constant(1.0)) return join({coefficient, right.rest});
  if (right.rest.is_constant(1.0)) return join({coefficient, left.rest});
  return join({coefficient, commutative(Operation::multiply, left.rest, right.rest)});
}

Expr operator/(const Expr& x, const Expr& y) {
  if (need_overlay(x, y)) return in_new_overlay(x, y, std::divides<>{});
  if (x.is_constant() && y.is_constant()) return x.constant() / y.constant();
  if (x.is_constant(0.0)) return 0.0;
  if (same(x, y) && x.facts().nonzero) return 1.0;
  if (y.is_constant()) {
    const Constant d = y.constant();
    // Only constants whose reciprocal is exact become factors: other quotients keep their one
    // rounding.
    if (d.low == 0.0 && is_power_of_two(d.high)) return (Constant{1.0} / d) * x;
    const Product parts = split_coefficient(x);
    if (!x.is_steady() && !parts.coefficient.is_constant(1.0))
      return (parts.coefficient / y) * parts.rest;
  } else if (y.is_steady() && !x.is_steady()) {
    return (Expr(1.0) / y) * x;
  }
  if (x.is(Operation::negate)) return -(x.first() / y);
  if (y.is(Operation::negate)) return -(x / y.first());
  return binary_node(Operation::divide, x, y);
}

}  // namespace dalembert
