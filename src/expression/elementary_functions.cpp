// Powers, the functions of the table, and what else is a function of expressions.
#include "dalembert/expression/elementary_functions.hpp"

#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/pieces.hpp"
#include "dalembert/numeric/sinc.hpp"
#include "new_node.hpp"

namespace dalembert {
namespace {

/// A function of the C library of a constant. Long double keeps eleven more bits than a double; the
/// rest goes into the low part.
template <class Evaluate>
Expr rounded(const Constant& x, Evaluate evaluate) {
  const long double value = evaluate(x.as<long double>());
  const double high = static_cast<double>(value);
  return Constant{high, std::isfinite(high) ? static_cast<double>(value - high) : 0.0};
}

Expr whole_power(const Expr& x, int exponent) {
  Expr result = 1.0, factor = x;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result *= factor;
    if (exponent > 1) factor *= factor;
  }
  return result;
}

}  // namespace

Expr pow(const Expr& x, const Expr& y) {
  if (need_overlay(x, y)) return in_new_overlay(x, y, pow);
  if (y.is_constant() && y.constant().low == 0.0) {
    const double exponent = y.constant().high;
    // Products, and one root; a root costs a tenth of a power.
    const double size = std::fabs(exponent), halves = 2.0 * size;
    if (halves == std::floor(halves) && size <= 64.0) {
      const Expr whole = whole_power(x, static_cast<int>(size));
      const Expr power = size == std::floor(size) ? whole : whole * sqrt(x);
      return exponent < 0.0 ? 1.0 / power : power;
    }
  }
  if (x.is_constant() && y.is_constant()) {
    const long double base = x.constant().as<long double>();
    return rounded(y.constant(), [base](long double e) { return std::pow(base, e); });
  }
  return binary_node(Operation::power, x, y);
}

Expr square(const Expr& x) { return x * x; }

namespace {

/// The functions of constants to all their bits.
namespace exact {
using dalembert::sqrt;
Constant abs(Constant x) { return x.high < 0.0 ? -x : x; }
Constant floor(Constant x) {
  const double whole = std::floor(x.high);
  // Of a whole high part the low part decides.
  return whole == x.high ? Constant{whole} + Constant{std::floor(x.low)} : Constant{whole};
}
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
  return binary_node(Operation::atan2, y, x);
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
    case Operation::where_nonnegative:
      return where_nonnegative(a, b);
    case Operation::where_negative:
      return where_negative(a, b);
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
