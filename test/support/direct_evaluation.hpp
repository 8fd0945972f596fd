#pragma once
// Evaluates an expression node after node, without a tape: the plain meaning of the graph.

#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "dalembert/expression/query.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/sinc.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace test_support {

/// One unary or binary operation on values.
template <class Number>
Number apply(dalembert::Operation operation, unsigned order, const Number& x, const Number& y) {
  using dalembert::Operation;
  // Declarations, not a directive: they hide the C library's functions of double.
  using dalembert::numeric::sin, dalembert::numeric::cos, dalembert::numeric::tan,
      dalembert::numeric::asin, dalembert::numeric::acos, dalembert::numeric::atan,
      dalembert::numeric::atan2, dalembert::numeric::sinh, dalembert::numeric::cosh,
      dalembert::numeric::tanh, dalembert::numeric::exp, dalembert::numeric::log,
      dalembert::numeric::pow, dalembert::numeric::sqrt, dalembert::numeric::abs,
      dalembert::numeric::floor, dalembert::numeric::select, dalembert::numeric::sinc_of_order,
      dalembert::numeric::sinhc_of_order, dalembert::numeric::sinc_root_of_order;
  const auto sign = [](const Number& of) {
    return select(of >= Number(0.0), Number(1.0), Number(-1.0));
  };
  switch (operation) {
    case Operation::negate:
      return -x;
    case Operation::add:
      return x + y;
    case Operation::subtract:
      return x - y;
    case Operation::multiply:
      return x * y;
    case Operation::divide:
      return x / y;
    case Operation::power:
      return pow(x, y);
    case Operation::atan2:
      return atan2(x, y);
    case Operation::where_nonnegative:
      return x >= Number(0.0) ? y : x < Number(0.0) ? Number(0.0) : x;
    case Operation::where_negative:
      return x < Number(0.0) ? y : x >= Number(0.0) ? Number(0.0) : x;
#define DALEMBERT_ROW(name, ...) \
  case Operation::name:          \
    return name(x);
      DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
    case Operation::sinc:
      return sinc_of_order(static_cast<int>(order), x);
    case Operation::sinhc:
      return sinhc_of_order(static_cast<int>(order), x);
    case Operation::sinc_root:
      return sinc_root_of_order(static_cast<int>(order) - 1, x);
    default:
      throw std::logic_error("not an operation on values");
  }
}

/// Values of symbols, and the evaluation of expressions at them.
template <class Number>
class DirectEvaluation {
 public:
  DirectEvaluation(const dalembert::Vector& symbols, const std::vector<Number>& values) {
    for (std::size_t i = 0; i < symbols.size(); ++i) given_[symbols[i].id()] = values[i];
  }
  Number operator()(const dalembert::Expr& expression) {
    if (expression.is_constant()) return expression.constant().as<Number>();
    const dalembert::Graph& graph = *expression.graph();
    if (expression.graph() != graph_) {  // another overlay: only the symbols are the same
      graph_ = expression.graph();
      value_ = given_;
      solution_.clear();
    }
    for (const dalembert::NodeId id : dalembert::reachable(graph, {expression.id()})) {
      if (!value_.contains(id) && !solution_.contains(id)) evaluate(graph, id);
    }
    return value_.at(expression.id());
  }

 private:
  void evaluate(const dalembert::Graph& graph, dalembert::NodeId id) {
    using dalembert::Operation;
    const dalembert::Node& node = graph.node(id);
    switch (node.operation) {
      case Operation::constant:
        value_[id] = graph.constant_value(id).template as<Number>();
        return;
      case Operation::symbol:
        throw std::logic_error("no value for the symbol " + graph.name(id));
      case Operation::solve:
        solution_[id] = solve(graph, id);
        return;
      case Operation::component:
        value_[id] = solution_.at(node.a)[node.b];
        return;
      default: {
        std::vector<dalembert::NodeId> operands;
        graph.operands(id, operands);
        if (evaluate_by_half_angle(graph, id)) return;
        const Number x = value_.at(operands.front()), y = value_.at(operands.back());
        value_[id] = apply<Number>(node.operation, node.b, x, y);
      }
    }
  }
  /// sin(2 x) and cos(2 x), whose bits are those of products of sin(x) and cos(x).
  bool evaluate_by_half_angle(const dalembert::Graph& graph, dalembert::NodeId id) {
    using dalembert::Operation;
    const dalembert::Node node = graph.node(id);
    if (node.operation != Operation::sin && node.operation != Operation::cos) return false;
    const dalembert::Node angle = graph.node(node.a);
    if (angle.operation != Operation::multiply) return false;
    const auto is_two = [&](dalembert::NodeId factor) {
      return graph.node(factor).operation == Operation::constant &&
             graph.constant_value(factor) == dalembert::Constant{2.0, 0.0};
    };
    if (!is_two(angle.a) && !is_two(angle.b)) return false;
    // Of a negative angle the sign stands before the function.
    const Number x = value_.at(is_two(angle.a) ? angle.b : angle.a), two(2.0);
    const Number sine = apply<Number>(Operation::sin, 0, x, x),
                 cosine = apply<Number>(Operation::cos, 0, x, x);
    value_[id] = node.operation == Operation::sin ? two * (sine * cosine)
                                                  : Number(1.0) - two * (sine * sine);
    return true;
  }
  std::vector<Number> solve(const dalembert::Graph& graph, dalembert::NodeId id) {
    const std::size_t n = graph.node(id).b;
    std::vector<Number> numbers, pivot(n);
    for (const dalembert::NodeId operand : graph.solve_operands(id))
      numbers.push_back(value_.at(operand));
    std::vector<Number> solution(numbers.begin() + static_cast<std::ptrdiff_t>(n * n),
                                 numbers.end());
    static_cast<void>(
        dalembert::numeric::lu_factor(static_cast<int>(n), numbers.data(), pivot.data()));
    dalembert::numeric::lu_solve(static_cast<int>(n), numbers.data(), pivot.data(),
                                 solution.data());
    return solution;
  }

  std::unordered_map<dalembert::NodeId, Number> given_, value_;
  dalembert::GraphPointer graph_;
  std::unordered_map<dalembert::NodeId, std::vector<Number>> solution_;
};

}  // namespace test_support
