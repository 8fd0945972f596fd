#include "dalembert/expression/expr.hpp"

#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/numeric/sinc.hpp"

namespace dalembert {
namespace {

[[noreturn]] void refuse_foreign() {
  throw RequestError(
      "the expressions belong to different systems, or were built from symbols that were taken "
      "twice: take symbols() once and build everything from them");
}

/// The graph of an expression that is no constant; a new overlay if it is frozen.
GraphPointer open_graph(const Expr& x) {
  return x.graph()->is_frozen() ? std::make_shared<Graph>(x.graph()) : x.graph();
}

/// Whether `graph` is an overlay, direct or not, of `base`.
bool overlays(const Graph& graph, const Graph& base) {
  return graph.shared_size(base) == base.size() && base.is_frozen();
}

/// The one of two graphs that has the nodes of both; RequestError if neither has.
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

/// Whether a result of x and y needs a new overlay.
bool need_overlay(const Expr& x, const Expr& y) {
  const auto closed = [](const Expr& z) { return z.is_constant() || z.graph()->is_frozen(); };
  return closed(x) && closed(y) && !(x.is_constant() && y.is_constant());
}

/// The operation with both operands brought into one new overlay first, so that all parts of the
/// result are made there.
template <class Operate>
Expr in_new_overlay(const Expr& x, const Expr& y, Operate operate) {
  const GraphPointer graph = graph_of_both(x, y);
  return operate(in_graph(x, graph), in_graph(y, graph));
}

Expr binary(Operation operation, const Expr& x, const Expr& y) {
  GraphPointer graph = graph_of_both(x, y);
  const NodeId a = x.id_in(*graph), b = y.id_in(*graph), id = graph->binary(operation, a, b);
  return {std::move(graph), id};
}

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

/// The node of a unary operation on an expression that is no constant.
Expr unary_node(Operation operation, const Expr& x, NodeId parameter = 0) {
  GraphPointer graph = open_graph(x);
  const NodeId id = graph->unary(operation, x.id(), parameter);
  return {std::move(graph), id};
}

/// A function of the C library of a constant. Long double keeps eleven more bits than a double; the
/// rest goes into the low part.
template <class Evaluate>
Expr rounded(const Constant& x, Evaluate evaluate) {
  const long double value = evaluate(x.as<long double>());
  const double high = static_cast<double>(value);
  return Constant{high, std::isfinite(high) ? static_cast<double>(value - high) : 0.0};
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

Expr whole_power(const Expr& x, int exponent) {
  if (exponent < 0) return 1.0 / whole_power(x, -exponent);
  Expr result = 1.0, factor = x;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result *= factor;
    if (exponent > 1) factor *= factor;
  }
  return result;
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
  return binary(Operation::multiply, product.coefficient, product.rest);
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
  return binary(Operation::subtract, x, y);
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
  return binary(Operation::divide, x, y);
}

Expr pow(const Expr& x, const Expr& y) {
  if (need_overlay(x, y)) return in_new_overlay(x, y, pow);
  if (y.is_constant() && y.constant().low == 0.0) {
    const double exponent = y.constant().high;
    if (exponent == std::floor(exponent) && std::fabs(exponent) <= 64.0) {
      return whole_power(x, static_cast<int>(exponent));
    }
    if (exponent == 0.5) return sqrt(x);
    if (exponent == -0.5) return 1.0 / sqrt(x);
    if (exponent == 1.5) return x * sqrt(x);
  }
  if (x.is_constant() && y.is_constant()) {
    const long double base = x.constant().as<long double>();
    return rounded(y.constant(), [base](long double e) { return std::pow(base, e); });
  }
  return binary(Operation::power, x, y);
}

Expr square(const Expr& x) { return x * x; }

namespace {

/// The functions of constants to all their bits.
namespace exact {
using dalembert::sqrt;
Constant abs(Constant x) { return x.high < 0.0 ? -x : x; }
Constant sign(Constant x) { return Constant{x.high >= 0.0 ? 1.0 : -1.0}; }
}  // namespace exact

// What is used instead of a node for special arguments: the last column but two of the table.
using Function = Expr (*)(const Expr&);
std::optional<Expr> any(Function, const Expr&) { return std::nullopt; }
std::optional<Expr> odd(Function function, const Expr& x) {
  if (x.is(Operation::negate)) return -function(x.first());
  return std::nullopt;
}
std::optional<Expr> even(Function function, const Expr& x) {
  if (x.is(Operation::negate)) return function(x.first());
  return std::nullopt;
}
std::optional<Expr> magnitude(Function function, const Expr& x) {
  if (x.facts().nonnegative) return x;
  return even(function, x);
}
std::optional<Expr> direction(Function, const Expr& x) {
  if (x.facts().nonnegative) return Expr(1.0);
  return std::nullopt;
}

}  // namespace

#define DALEMBERT_CONSTANT_exact(name, x) Expr(exact::name(x))
#define DALEMBERT_CONSTANT_rounded(name, x) \
  rounded(x, [](long double value) { return std::name(value); })
#define DALEMBERT_ROW(name, constant_rule, argument_rule, ...)                          \
  Expr name(const Expr& x) {                                                            \
    if (x.is_constant()) return DALEMBERT_CONSTANT_##constant_rule(name, x.constant()); \
    if (std::optional<Expr> known = argument_rule(name, x)) return *std::move(known);   \
    return unary_node(Operation::name, x);                                              \
  }
DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
#undef DALEMBERT_CONSTANT_exact
#undef DALEMBERT_CONSTANT_rounded

Expr atan2(const Expr& y, const Expr& x) {
  if (x.is_constant() && y.is_constant()) {
    const long double abscissa = x.constant().as<long double>();
    return rounded(y.constant(), [=](long double v) { return std::atan2(v, abscissa); });
  }
  return binary(Operation::atan2, y, x);
}

static Expr even_quotient(Operation operation, const Expr& x, unsigned order) {
  if (x.is(Operation::negate)) return even_quotient(operation, x.first(), order);
  if (x.is_constant(0.0)) {
    Constant value{1.0};
    for (unsigned k = 1; k <= order; ++k) value = value / Constant{2.0 * k + 1.0};
    return value;
  }
  if (x.is_constant()) throw RequestError("sinc and sinhc need a variable argument");
  return unary_node(operation, x, order);
}

Expr sinc(const Expr& x, unsigned order) { return even_quotient(Operation::sinc, x, order); }
Expr sinhc(const Expr& x, unsigned order) { return even_quotient(Operation::sinhc, x, order); }

Expr sinc_root(const Expr& t, int order) {
  if (order < -1)
    throw RequestError("sinc_root: the order is " + std::to_string(order) +
                       "; the lowest is -1, the cosine");
  if (t.is_constant(0.0)) {
    Constant value{1.0};
    for (int k = 1; k <= order; ++k) value = value / Constant{2.0 * k + 1.0};
    return value;
  }
  if (t.is_constant()) {
    return rounded(t.constant(), [order](long double value) {
      return numeric::sinc_root_of_order(order, value);
    });
  }
  return unary_node(Operation::sinc_root, t, static_cast<NodeId>(order + 1));
}

Expr opaque_function(const std::string& name, const Expr& argument) {
  if (argument.is_constant()) throw RequestError("an opaque function needs a variable argument");
  GraphPointer graph = open_graph(argument);
  const NodeId id = graph->function(name, argument.id());
  return {std::move(graph), id};
}

Expr rebuild(const Node& like, const Expr& a, const Expr& b) {
  switch (like.operation) {
    case Operation::negate:
      return -a;
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      return pow(a, b);
    case Operation::atan2:
      return atan2(a, b);
#define DALEMBERT_ROW(name, ...) \
  case Operation::name:          \
    return name(a);
      DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
    case Operation::sinc:
      return sinc(a, like.b);
    case Operation::sinhc:
      return sinhc(a, like.b);
    case Operation::sinc_root:
      return sinc_root(a, static_cast<int>(like.b) - 1);
    default:
      throw std::logic_error("rebuild: not a unary or binary node");
  }
}

}  // namespace dalembert
