#include "dalembert/expression/printer.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "dalembert/expression/query.hpp"
#include "dalembert/expression/table/table.hpp"
#include "expression/notation/conditions.hpp"

namespace dalembert {
namespace {

enum Precedence { sum = 1, product = 2, sign_change = 3, exponent = 4, atom = 5 };

struct Text {
  std::string text;
  int precedence = atom;
};

std::string enclosed(const Text& operand, int least) {
  return operand.precedence < least ? "(" + operand.text + ")" : operand.text;
}

const char* function_name(Operation operation) {
  switch (operation) {
#define DALEMBERT_ROW(name, ...) \
  case Operation::name:          \
    return #name;
    DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
    default:
      return "?";
  }
}

/// A constant; a quotient of small whole numbers is printed as such.
Text constant_text(const Constant& value) {
  if (value == pi_constant) return {"pi", atom};
  if (value.low != 0.0) {
    for (int divisor = 3; divisor <= 64; ++divisor) {
      const double scaled = value.high * divisor;
      const Constant quotient = Constant{std::round(scaled)} / Constant{double(divisor)};
      if (std::fabs(scaled) < 1e6 && quotient == value) {
        return {to_string(std::round(scaled)) + "/" + std::to_string(divisor),
                value.high < 0 ? sum : product};
      }
    }
  }
  return {to_string(value.high), value.high < 0.0 ? sum : atom};
}

/// A text that repeats what is shared may be as long as 2^nodes; of more characters than these
/// nobody reads the rest.
constexpr std::size_t most_characters = 20'000;

class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) {}

  void add(NodeId id) {
    write(id);
    if (Text& made = texts_[id]; made.text.size() > most_characters) made = {"(...)", atom};
  }
  const Text& at(NodeId id) const { return texts_.at(id); }

 private:
  void write(NodeId id) {
    const Node& node = graph_.node(id);
    if (const std::optional<Pieces> pieces = read_pieces(graph_, id)) {
      texts_[id] = pieces_text(*pieces);
      return;
    }
    switch (node.operation) {
      case Operation::constant:
        texts_[id] = constant_text(graph_.constant_value(id));
        return;
      case Operation::symbol:
        texts_[id] = {graph_.name(id), atom};
        return;
      case Operation::negate:
        texts_[id] = {"-" + enclosed(at(node.a), sign_change), sum};
        return;
      case Operation::add:
        texts_[id] = infix(node, " + ", sum, sum);
        return;
      case Operation::subtract:
        texts_[id] = infix(node, " - ", sum, sum + 1);
        return;
      case Operation::multiply:
        texts_[id] = product_text(node);
        return;
      case Operation::divide:
        texts_[id] = infix(node, "/", product, product + 1);
        return;
      case Operation::power:
        texts_[id] = infix(node, "^", exponent + 1, exponent);
        return;
      case Operation::atan2:
        texts_[id] = {"atan2(" + at(node.a).text + ", " + at(node.b).text + ")", atom};
        return;
      case Operation::sinc:
      case Operation::sinhc:
        texts_[id] = {quotient_name(node) + "(" + at(node.a).text + ")", atom};
        return;
      case Operation::sinc_root:
        texts_[id] = {"sinc_root(" + at(node.a).text + ", " +
                          std::to_string(static_cast<int>(node.b) - 1) + ")",
                      atom};
        return;
      case Operation::solve:
        texts_[id] = {solve_text(id), atom};
        return;
      case Operation::component:
        texts_[id] = {at(node.a).text + "[" + std::to_string(node.b + 1) + "]", atom};
        return;
      case Operation::table:
        texts_[id] = {
            graph_.table(id)->name(Graph::derivative_of(node)) + "(" + at(node.a).text + ")", atom};
        return;
      case Operation::function:
        texts_[id] = function_text(graph_.name(id), at(node.a).text);
        return;
      default:
        texts_[id] = {std::string(function_name(node.operation)) + "(" + at(node.a).text + ")",
                      atom};
    }
  }
  Text infix(const Node& node, const char* sign, int left, int right) const {
    const int own = left == exponent + 1 ? exponent : left;
    return {enclosed(at(node.a), left) + sign + enclosed(at(node.b), right), own};
  }
  /// A matrix stands before what it multiplies, but behind what is constant during a run.
  Text product_text(const Node& node) const {
    if (node.a == node.b) return {enclosed(at(node.a), exponent + 1) + "^2", exponent};
    Node written = node;
    if (graph_.node(node.b).operation == Operation::function && !graph_.node(node.a).steady)
      std::swap(written.a, written.b);
    return infix(written, "*", product, product);
  }
  static Text function_text(const std::string& name, const std::string& argument) {
    const std::size_t end = name.find(transposed_ending),
                      tail = end == std::string::npos ? name.size() : end;
    return {name.substr(0, end) + "(" + argument + ")" + name.substr(tail), atom};
  }
  std::string side_text(const std::optional<NodeId>& side, int least) const {
    return side ? enclosed(at(*side), least) : "0";
  }
  std::string comparison_text(const Comparison& comparison) const {
    return side_text(comparison.left, sum) + (comparison.negative ? " < " : " >= ") +
           side_text(comparison.right, sum + 1);
  }
  std::string condition_text(const std::vector<ConditionStep>& steps) const {
    std::string text, closing;
    for (const ConditionStep& step : steps) {
      text += comparison_text(step.comparison);
      if (step.link == ConditionLink::last) break;
      text += step.link == ConditionLink::both ? " and (" : " or (";
      closing += ')';
    }
    return text + closing;
  }
  Text pieces_text(const Pieces& pieces) const {
    const std::string first = side_text(pieces.first, sum), second = side_text(pieces.second, sum);
    switch (pieces.kind) {
      case Pieces::Kind::maximum:
        return {"max(" + first + ", " + second + ")", atom};
      case Pieces::Kind::minimum:
        return {"min(" + first + ", " + second + ")", atom};
      case Pieces::Kind::choice:
        break;
    }
    return {"piecewise(" + first + ", " + condition_text(pieces.condition) + ", " + second + ")",
            atom};
  }
  static std::string quotient_name(const Node& node) {
    const std::string name = node.operation == Operation::sinc ? "sinc" : "sinhc";
    return node.b == 0 ? name : name + "_" + std::to_string(node.b);
  }
  std::string solve_text(NodeId id) const {
    std::string text = "solve(";
    for (const NodeId operand : graph_.solve_operands(id)) text += at(operand).text + ", ";
    text.resize(text.size() - 2);
    return text + ")";
  }

  const Graph& graph_;
  std::unordered_map<NodeId, Text> texts_;
};

}  // namespace

std::string to_string(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

std::string to_string(const Expr& expression) {
  if (expression.is_constant()) return constant_text(expression.constant()).text;
  const Graph& graph = *expression.graph();
  Printer printer(graph);
  for (const NodeId id : reachable(graph, {expression.id()})) printer.add(id);
  return printer.at(expression.id()).text;
}

}  // namespace dalembert
