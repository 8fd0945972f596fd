#include "dalembert/method/text/step_equations.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/table/table.hpp"

namespace dalembert {
namespace {

/// One coordinate, potential V, one linear constraint A(q) v = 0 where asked for, constant mass M:
/// everything opaque.
System formal_system(bool constrained) {
  SystemDescription description{.name = "formal",
                                .coordinates = {{"q"}},
                                .parameters = {{.name = "M", .min = 0.0, .min_exclusive = true}}};
  auto [graph, symbols] = System::make_symbols(description);
  const Expr &q = symbols.q[0], &v = symbols.v[0];
  Mechanics mechanics{.kinetic = 0.5 * symbols["M"] * square(v),
                      .potential = opaque_function("V", q)};
  if (constrained) mechanics.constraints = {opaque_function("A", q) * v};
  return System::define(std::move(description), graph, symbols, std::move(mechanics));
}

std::string with_index(const std::string& name, int index) { return name + std::to_string(index); }

/// The unknowns with names of their own in place of guess + increment: v, then v_2 where a second
/// group has the same name.
struct Renaming {
  Vector from, to;
  std::set<NodeId> multipliers = {};
};

Renaming rename_unknowns(const Unknowns& unknowns, const GraphPointer& graph) {
  Renaming renaming;
  std::map<std::string, int> uses;
  for (const Unknowns::Group& group : unknowns.groups()) {
    const int use = ++uses[group.name];
    const std::string name = use == 1 ? group.name : with_index(group.name + "_", use);
    for (std::size_t i = 0; i < group.symbols.size(); ++i) {
      const Expr unknown = make_symbol(graph, name);
      // A guess may contain the unknowns of the groups before.
      const Expr guess =
          substitute(group.value[i], concatenate({renaming.from, Vector{group.symbols[i]}}),
                     concatenate({renaming.to, Vector{Expr(0.0)}}));
      if (group.is_multiplier) renaming.multipliers.insert(unknown.id());
      renaming.from.push_back(group.symbols[i]);
      renaming.to.push_back(unknown - guess);
    }
  }
  return renaming;
}

/// Expressions in which A is transposed wherever it multiplies a multiplier: of one coordinate and
/// one constraint numbers do not tell A^T lambda from A v.
class Transposition {
 public:
  explicit Transposition(std::set<NodeId> multipliers) : multipliers_(std::move(multipliers)) {}

  Expr operator()(const Expr& expression) {
    return expression.is_constant() ? expression : written(expression.graph(), expression.id());
  }

 private:
  Expr written(const GraphPointer& graph, NodeId id) {
    if (const auto known = written_.find(id); known != written_.end()) return known->second;
    std::vector<NodeId> operands;
    graph->operands(id, operands);
    const Node node = graph->node(id);
    Expr result(graph, id);
    if (node.operation == Operation::function) {
      result = opaque_function(graph->name(id), written(graph, node.a));
    } else if (node.operation == Operation::multiply) {
      const Expr left = factor(graph, node.a, is_multiplier(*graph, node.b));
      result = left * factor(graph, node.b, is_multiplier(*graph, node.a));
    } else if (!operands.empty() && node.operation != Operation::component &&
               node.operation != Operation::solve && node.operation != Operation::table) {
      const Expr left = written(graph, operands.front());
      result = rebuild(node, left, written(graph, operands.back()));
    }
    return written_.emplace(id, result).first->second;
  }
  /// A factor, beside a multiplier or not.
  Expr factor(const GraphPointer& graph, NodeId id, bool beside_multiplier) {
    const Node node = graph->node(id);
    if (!beside_multiplier) return written(graph, id);
    if (node.operation == Operation::function && graph->name(id) == "A")
      return opaque_function("A" + std::string(transposed_ending), written(graph, node.a));
    if (node.operation != Operation::multiply) return written(graph, id);
    const Expr left = factor(graph, node.a, true);
    return left * factor(graph, node.b, true);
  }
  /// True of a multiplier, and of a sum or a steady multiple of multipliers.
  bool is_multiplier(const Graph& graph, NodeId id) const {
    const Node& node = graph.node(id);
    switch (node.operation) {
      case Operation::symbol:
        return multipliers_.contains(id);
      case Operation::add:
      case Operation::subtract:
        return is_multiplier(graph, node.a) && is_multiplier(graph, node.b);
      case Operation::multiply:
        return (is_multiplier(graph, node.a) && graph.node(node.b).steady) ||
               (graph.node(node.a).steady && is_multiplier(graph, node.b));
      case Operation::negate:
      case Operation::divide:
        return is_multiplier(graph, node.a);
      default:
        return false;
    }
  }

  std::set<NodeId> multipliers_;
  std::map<NodeId, Expr> written_;
};

/// Names the subexpressions that occur more than once, so that long formulas can be read.
class SharedNames {
 public:
  SharedNames(const Vector& expressions, const GraphPointer& shared_graph)
      : shared_graph_(shared_graph), graph_(*shared_graph) {
    const Graph& graph = graph_;
    std::vector<NodeId> roots, operands;
    for (const Expr& expression : expressions) {
      if (!expression.is_constant()) roots.push_back(expression.id());
    }
    std::map<NodeId, int> uses;
    const std::vector<NodeId> all = reachable(graph, roots);
    // Matrices and functions have no names of their own: their arguments are written once for each.
    const auto is_function = [&graph](NodeId id) {
      return graph.node(id).operation == Operation::function;
    };
    for (auto id = all.rbegin(); id != all.rend(); ++id) {
      graph.operands(*id, operands);
      for (const NodeId operand : operands)
        uses[operand] += is_function(*id) ? std::max(1, uses[*id]) : 1;
    }
    for (const NodeId id : all) {
      const bool is_leaf = graph.node(id).operation == Operation::symbol ||
                           graph.node(id).operation == Operation::constant;
      if (!is_leaf && !is_function(id) && uses[id] > 1 &&
          to_string(Expr(shared_graph_, id)).size() > 12)
        introduce(Expr(shared_graph_, id));
    }
  }
  const std::vector<EquationLine>& lines() const { return lines_; }
  /// The expression with every named part replaced by its name.
  Expr shortened(const Expr& expression) const {
    if (expression.is_constant() || names_.empty()) return expression;
    std::map<NodeId, Expr> value;
    std::vector<NodeId> operands;
    for (const NodeId id : reachable(graph_, {expression.id()})) {
      if (const auto named = names_.find(id); named != names_.end()) {
        value.emplace(id, named->second);
        continue;
      }
      graph_.operands(id, operands);
      const Node node = graph_.node(id);
      if (operands.empty() || node.operation == Operation::component ||
          node.operation == Operation::solve) {
        value.emplace(id, Expr(shared_graph_, id));
      } else if (node.operation == Operation::function) {
        value.emplace(id, opaque_function(graph_.name(id), value.at(node.a)));
      } else if (node.operation == Operation::table) {
        const int derivative = Graph::derivative_of(node);
        value.emplace(id, look_up(graph_.table(id), value.at(node.a), derivative));
      } else {
        value.emplace(id, rebuild(node, value.at(operands.front()), value.at(operands.back())));
      }
    }
    return value.at(expression.id());
  }

 private:
  void introduce(const Expr& expression) {
    const std::string name = with_index("a", static_cast<int>(names_.size()) + 1);
    lines_.push_back({.left = name, .right = shortened(expression)});
    names_.emplace(expression.id(), make_symbol(shared_graph_, name));
  }

  GraphPointer shared_graph_;
  const Graph& graph_;
  std::map<NodeId, Expr> names_;
  std::vector<EquationLine> lines_;
};

/// One driver w sets the coefficients of a constraint on passengers x, y.
System formal_coupled_system() {
  SystemDescription description{.name = "formal", .coordinates = {{"w"}, {"x"}, {"y"}}};
  auto [graph, symbols] = System::make_symbols(description);
  const Vector &q = symbols.q, &v = symbols.v;
  const Expr kinetic = 0.5 * (square(v[0]) + square(v[1]) + square(v[2]));
  const Expr potential = opaque_function("W", q[0]) + 0.5 * (square(q[1]) + square(q[2]));
  const Expr held = opaque_function("A", q[0]) * v[1];
  return System::define(std::move(description), graph, symbols,
                        {.kinetic = kinetic, .potential = potential, .constraints = {held + v[2]}});
}

/// The simplest formal system that the method can be used on; nothing if there is none.
std::optional<System> formal_system_of(const Method& method) {
  std::vector<System> systems{formal_system(true), formal_system(false)};
  // One coordinate has few pieces.
  const bool in_words = method.is_splitting() && !method.formula().empty();
  systems.insert(in_words ? systems.begin() : systems.end(), formal_coupled_system());
  const auto fits = [&](const System& system) { return !method.misfit(system); };
  const auto found = std::ranges::find_if(systems, fits);
  if (found == systems.end()) return std::nullopt;
  return *found;
}

/// Names of q and v, of one coordinate without an index.
std::vector<std::string> state_names(const System& system) {
  if (system.dof() == 1) return {"q", "v"};
  std::vector<std::string> names, velocities;
  for (const Coordinate& coordinate : system.description().coordinates) {
    names.push_back(coordinate.name);
    velocities.push_back(coordinate.name + "_dot");
  }
  names.insert(names.end(), velocities.begin(), velocities.end());
  return names;
}

/// The state before a step, in symbols that end with 0.
State formal_state(const Method& method, const System& system, const Expr& t) {
  const auto symbol = [&](const std::string& name) { return make_symbol(t.graph(), name + "0"); };
  State before{{}, {}, {}, {}, t};
  const std::vector<std::string> names = state_names(system);
  for (std::size_t i = 0; i < names.size(); ++i)
    (i < system.dof() ? before.q : before.v).push_back(symbol(names[i]));
  if (system.constraint_count() > 0) before.lambda = {symbol("lambda")};
  for (const std::string& name : method.carried_names(system))
    before.carried.push_back(symbol(name));
  return before;
}

/// The equations of a step or a piece of it, at that depth.
std::vector<EquationLine> lines_of(const Equations& equations, const Unknowns& unknowns,
                                   const State& before, const System& system,
                                   const GraphPointer& graph, int depth) {
  Renaming renaming = rename_unknowns(unknowns, graph);
  for (const Expr& multiplier : before.lambda) renaming.multipliers.insert(multiplier.id());
  Transposition transposed(renaming.multipliers);
  const State& after = equations.after;
  Vector conditions =
      substitute(concatenate({equations.zero, equations.constraint}), renaming.from, renaming.to);
  Vector results =
      substitute(concatenate({after.q, after.v, after.lambda}), renaming.from, renaming.to);
  for (Vector* expressions : {&conditions, &results})
    for (Expr& expression : *expressions) expression = transposed(expression);
  const SharedNames names(concatenate({conditions, results}), graph);
  std::vector<EquationLine> lines = names.lines();
  for (const Expr& condition : conditions)
    lines.push_back({.left = "0", .right = names.shortened(condition)});
  std::vector<std::string> left = state_names(system);
  left.emplace_back("lambda");
  for (std::size_t i = 0; i < results.size(); ++i)
    lines.push_back({.left = left[i] + "1", .right = names.shortened(results[i])});
  for (EquationLine& line : lines) line.depth = depth;
  return lines;
}

/// The equations of one step on a formal system.
std::vector<EquationLine> formal_equations(const Method& method) {
  const std::optional<System> found = formal_system_of(method);
  if (!found) return {};
  const System& system = *found;
  const Expr t = system.symbols().t, h = make_symbol(t.graph(), "h", {}, true);
  const State before = formal_state(method, system, t);
  Unknowns unknowns(t.graph());
  const Equations equations = method.equations(system, before, unknowns, h);
  return lines_of(equations, unknowns, before, system, t.graph(), 0);
}

/// "h/2", "h", "-1.7 h".
std::string part_of_step(const Constant& fraction) {
  const double value = fraction.high;
  if (value == 1.0) return "h";
  if (value == 0.5) return "h/2";
  return to_string(Expr(value)) + "*h";
}

/// The pieces of a splitting in their order, and before it the equations of each for the time h if
/// the method says nothing of them.
std::vector<EquationLine> formal_pieces(const Method& method) {
  const std::optional<System> found = formal_system_of(method);
  if (!found) return {};
  const System& system = *found;
  const Expr t = system.symbols().t, h = make_symbol(t.graph(), "h", {}, true);
  const State before = formal_state(method, system, t);
  std::vector<EquationLine> lines;
  std::set<std::string> known;
  std::string order = "one step:";
  for (const SplittingPiece& piece : method.pieces(system, before)) {
    const std::string& name = piece.name;
    order += " " + name + "(" + part_of_step(piece.fraction) + ")";
    if (!method.formula().empty() || !known.insert(name).second) continue;
    lines.push_back({.words = name + "(h):"});
    Unknowns unknowns(t.graph());
    const Equations equations = piece.map.get()(system, before, unknowns, h);
    for (EquationLine& line : lines_of(equations, unknowns, before, system, t.graph(), 1))
      lines.push_back(std::move(line));
  }
  lines.push_back({.words = order});
  return lines;
}

/// The method of the library with as few stages as its other options admit; nothing if stages
/// cannot be chosen.
std::optional<Method> with_fewest_stages(const Method& method) {
  const std::vector<OptionInfo>& options = method.definition().options;
  const auto stages = std::ranges::find(options, "stages", &OptionInfo::name);
  if (stages == options.end()) return std::nullopt;
  MethodSpec spec = method.spec();
  for (double number = stages->min; number <= stages->max; ++number) {
    spec.options["stages"] = number;
    try {
      return make_method(spec);
    } catch (const RequestError&) {  // too few, or not a method of the library
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<EquationLine> step_equations(const Method& method) {
  std::vector<EquationLine> lines;
  for (std::string& words : method.formula()) lines.push_back({.words = std::move(words)});
  const auto add = [&lines](std::vector<EquationLine> more) {
    lines.insert(lines.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
  };
  if (method.is_splitting()) {
    add(formal_pieces(method));
    return lines;
  }
  if (lines.empty()) return formal_equations(method);
  // An integral along the step would be a long sum of the nodes of its quadrature.
  if (method.facts().exact_energy) return lines;
  if (const std::optional<Method> fewest = with_fewest_stages(method)) {
    const double stages = std::get<double>(fewest->definition().values.at("stages"));
    lines.push_back(
        {.words = "which for s = " + std::to_string(static_cast<int>(stages)) + " are:"});
    add(formal_equations(*fewest));
  }
  return lines;
}

}  // namespace dalembert
