#include "angle_period.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <unordered_map>
#include <utility>

#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "equation_sample.hpp"

namespace dalembert {
namespace {

/// A part of the equations, as a sentence calls it.
struct NamedPart {
  std::string name;
  Expr expression;
  SystemPart part;
};

std::vector<NamedPart> parts_of(const Mechanics& mechanics) {
  std::vector<NamedPart> parts;
  const auto add = [&](const std::string& name, const Vector& expressions, SystemPart part) {
    for (std::size_t i = 0; i < expressions.size(); ++i)
      parts.push_back({name + " " + std::to_string(i + 1), expressions[i], part});
  };
  if (mechanics.skew_gradient) {
    parts.push_back(
        {"the Hamiltonian", mechanics.skew_gradient->hamiltonian, SystemPart::skew_gradient});
    add("entry", mechanics.skew_gradient->structure.entries(), SystemPart::skew_gradient);
    return parts;
  }
  if (mechanics.lagrangian) {
    parts.push_back({"the Lagrangian", *mechanics.lagrangian, SystemPart::lagrangian});
  } else {
    parts.push_back({"the kinetic energy", mechanics.kinetic, SystemPart::lagrangian});
    parts.push_back({"the potential", mechanics.potential, SystemPart::lagrangian});
  }
  add("constraint", mechanics.constraints, SystemPart::constraints);
  add("constraint on positions", mechanics.holonomic, SystemPart::constraints);
  add("force", mechanics.force, SystemPart::force);
  return parts;
}

bool is_whole(double number) { return number == std::round(number); }

/// By how many turns nodes grow with a turn of one angle, as far as their form says it: sin(2 x +
/// y) by none, and 2 x + y by two. Nothing for x^2.
class TurnCount {
 public:
  TurnCount(const Graph& graph, NodeId angle) : graph_(graph), angle_(angle) {}

  std::optional<double> operator()(NodeId root) {
    for (const NodeId id : reachable(graph_, {root}))
      if (!turns_.contains(id)) turns_[id] = of_node(id);
    return turns_.at(root);
  }
  /// Whether a table is looked up at a place that is not periodic in the angle.
  bool meets_table() const { return meets_table_; }

 private:
  std::optional<double> of_node(NodeId id) {
    const Node& node = graph_.node(id);
    if (id == angle_) return 1.0;
    graph_.operands(id, operands_);
    bool is_free = true;
    for (const NodeId operand : operands_) is_free = is_free && turns_.at(operand) == 0.0;
    if (is_free) return 0.0;
    meets_table_ = meets_table_ || node.operation == Operation::table;
    const std::optional<double> a = turns_.at(operands_.front()), b = turns_.at(operands_.back());
    if (!a || !b) return std::nullopt;
    switch (node.operation) {
      case Operation::negate:
        return -*a;
      case Operation::add:
        return *a + *b;
      case Operation::subtract:
        return *a - *b;
      case Operation::multiply:
        if (const auto factor = constant(operands_.front())) return *factor * *b;
        if (const auto factor = constant(operands_.back())) return *factor * *a;
        return std::nullopt;
      case Operation::divide:
        if (const auto divisor = constant(operands_.back())) return *a / *divisor;
        return std::nullopt;
      case Operation::sin:
      case Operation::cos:
      case Operation::tan:
        return is_whole(*a) ? std::optional(0.0) : std::nullopt;
      default:
        return std::nullopt;
    }
  }
  std::optional<double> constant(NodeId id) const {
    if (graph_.node(id).operation != Operation::constant) return std::nullopt;
    return graph_.constant_value(id).high;
  }

  const Graph& graph_;
  NodeId angle_;
  std::unordered_map<NodeId, std::optional<double>> turns_;
  std::vector<NodeId> operands_;
  bool meets_table_ = false;
};

/// By how much an expression changes with a turn of an angle; zero where that is round-off, and
/// where it has no values.
double change_with_a_turn(const SystemDescription& description, const Symbols& symbols,
                          std::span<const double> parameters, const Expr& expression,
                          const Expr& angle, double from) {
  // Round-off of some hundred operations; sines of what has grown by 2 pi lose a digit.
  constexpr double negligible = 1e-10;
  for (int number = 0; number < EquationSample::count; ++number) {
    EquationSample sample(description, symbols, parameters, number);
    sample.set(angle, from);
    const double before = sample(expression);
    sample.set(angle, from + 2.0 * std::numbers::pi);
    const double after = sample(expression);
    const double size = 1.0 + std::fabs(before) + std::fabs(after);
    if (std::fabs(after - before) > negligible * size) return after - before;
  }
  return 0.0;
}

}  // namespace

void require_periodic(const SystemDescription& description, const Symbols& symbols,
                      const Mechanics& mechanics, std::span<const double> parameters) {
  // Into the half turn beyond [-pi, pi], where conditions on the angle itself are what they were.
  constexpr double from = -3.1;
  const std::vector<NamedPart> parts = parts_of(mechanics);
  for (const Coordinate& coordinate : description.coordinates) {
    if (!coordinate.is_angle) continue;
    const Expr& angle = symbols.element(coordinate.name).variables.front();
    TurnCount turns(*angle.graph(), angle.id());
    for (const NamedPart& part : parts) {
      if (part.expression.is_constant() || turns(part.expression.id()) == 0.0) continue;
      if (turns.meets_table()) continue;
      const double change =
          change_with_a_turn(description, symbols, parameters, part.expression, angle, from);
      if (change == 0.0) continue;
      throw SystemError(part.part, "system \"" + description.name + "\": " + part.name +
                                       " is not periodic in the angle \"" + coordinate.name +
                                       "\": where it grows by 2 pi from " + to_string(from) +
                                       ", this changes by " + to_string(change) + "; take \"" +
                                       coordinate.name + "\" out of the angles");
    }
  }
}

}  // namespace dalembert
