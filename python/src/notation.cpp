// Expressions as trees, for other programs that calculate with symbols, and equations of motion.

#include <pybind11/stl.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "arrays.hpp"
#include "dalembert/expression/pieces.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/table/table.hpp"
#include "dalembert/mechanics/system.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

const char* operation_word(Operation operation) {
  switch (operation) {
    case Operation::constant:
      return "constant";
    case Operation::symbol:
      return "symbol";
    case Operation::negate:
      return "negate";
    case Operation::add:
      return "add";
    case Operation::subtract:
      return "subtract";
    case Operation::multiply:
      return "multiply";
    case Operation::divide:
      return "divide";
    case Operation::power:
      return "power";
    case Operation::atan2:
      return "atan2";
    case Operation::where_nonnegative:
      return "where_nonnegative";
    case Operation::where_negative:
      return "where_negative";
    case Operation::sinc:
      return "sinc";
    case Operation::sinhc:
      return "sinhc";
    case Operation::sinc_root:
      return "sinc_root";
    case Operation::solve:
      return "solve";
    case Operation::component:
      return "component";
    case Operation::table:
    case Operation::function:
      return "function";
#define DALEMBERT_ROW(name, ...) \
  case Operation::name:          \
    return #name;
      DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
  }
  return "";
}

/// What an operation is beside its operands: the value of a constant, a name, an order, an entry, a
/// size.
py::object detail_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  switch (node.operation) {
    case Operation::constant: {
      const Constant& value = graph.constant_value(id);
      return py::make_tuple(value.high, value.low);
    }
    case Operation::symbol:
    case Operation::function:
      return py::str(graph.name(id));
    case Operation::table:
      return py::str(graph.table(id)->name(Graph::derivative_of(node)));
    case Operation::sinc:
    case Operation::sinhc:
      return py::int_(node.b);
    case Operation::sinc_root:
      return py::int_(static_cast<int>(node.b) - 1);
    case Operation::component:
    case Operation::solve:
      return py::int_(node.b);
    default:
      return py::none();
  }
}

/// The nodes of an expression, operands before users: operation, places of the operands in this
/// list, and what it is beside them.
py::list tree(const Expr& expression) {
  py::list nodes;
  if (expression.is_constant()) {
    const Constant& value = expression.constant();
    nodes.append(py::make_tuple("constant", py::tuple(), py::make_tuple(value.high, value.low)));
    return nodes;
  }
  const Graph& graph = *expression.graph();
  std::unordered_map<NodeId, std::size_t> places;
  std::vector<NodeId> operands;
  for (const NodeId id : reachable(graph, {expression.id()})) {
    const std::optional<Choice> choice = choice_of(graph, id);
    if (choice) {
      operands = {choice->condition, choice->nonnegative, choice->negative};
    } else {
      graph.operands(id, operands);
    }
    py::tuple at(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) at[i] = places.at(operands[i]);
    places[id] = nodes.size();
    nodes.append(py::make_tuple(choice ? "select" : operation_word(graph.node(id).operation), at,
                                detail_of(graph, id)));
  }
  return nodes;
}

/// Names of the entries of v as accelerations: "x_ddot", "R_ddot[1]".
Vector accelerations(const System& system, const Symbols& symbols) {
  Vector made;
  for (const Coordinate& coordinate : system.description().coordinates) {
    const std::size_t count = symbols.element(coordinate.name).velocity.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::string index = count == 1 ? "" : "[" + std::to_string(i + 1) + "]";
      made.push_back(make_symbol(symbols.t.graph(), coordinate.name + "_ddot" + index));
    }
  }
  return made;
}

/// The symbols of a system and what is built of them: its Lagrangian, what vanishes, forces, and
/// the residual of the equations of motion.
py::dict formulas(const System& system) {
  const Symbols symbols = system.symbols();
  py::dict entry("q"_a = array_of(symbols.q), "v"_a = array_of(symbols.v), "t"_a = symbols.t,
                 "parameters"_a = array_of(symbols.parameter_list),
                 "has_groups"_a = system.traits().has_groups);
  if (system.is_skew_gradient()) return entry;
  const Vector acceleration = accelerations(system, symbols);
  Vector multipliers;
  for (const std::string& name : system.multiplier_names())
    multipliers.push_back(make_symbol(symbols.t.graph(), name));
  const Vector residual =
      system.motion_residual(symbols.q, symbols.v, symbols.t, acceleration, multipliers);
  entry["lagrangian"] = system.lagrangian(symbols.q, symbols.v, symbols.t);
  entry["constraint"] = array_of(system.constraint(symbols.q, symbols.v, symbols.t));
  entry["holonomic"] = array_of(system.holonomic(symbols.q, symbols.t));
  entry["force"] = array_of(system.force(symbols.q, symbols.v, symbols.t));
  entry["energy"] = system.energy(symbols.q, symbols.v, symbols.t);
  entry["acceleration"] = array_of(acceleration);
  entry["multipliers"] = array_of(multipliers);
  entry["residual"] = array_of(slice(residual, 0, system.dof()));
  return entry;
}

}  // namespace

void add_notation(py::module_& module) {
  module.def("tree", &tree, "expression"_a);
  module.def("formulas", &formulas, "system"_a);
}

}  // namespace dalembert::python
