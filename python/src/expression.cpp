// Expressions as objects with the operators and functions of NumPy.

#include <pybind11/operators.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/notation/latex.hpp"
#include "dalembert/expression/notation/mathml.hpp"
#include "dalembert/expression/pieces.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/expression/text/serialise.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

using Class = py::class_<Expr>;

/// An operator with something on either side; NumPy is asked for arrays.
template <class Operator>
void add_operator(Class& type, const std::string& name, Operator apply) {
  const auto with = [](const Expr& x, py::handle other, auto combine) -> py::object {
    const std::optional<Expr> y = expression_of(other);
    if (!y) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    return py::cast(combine(x, *y));
  };
  type.def(("__" + name + "__").c_str(),
           [=](const Expr& x, const py::object& y) { return with(x, y, apply); },
           py::is_operator());
  type.def(("__r" + name + "__").c_str(),
           [=](const Expr& x, const py::object& y) {
             return with(x, y, [apply](const Expr& a, const Expr& b) { return apply(b, a); });
           },
           py::is_operator());
}

[[noreturn]] void refuse_number(const Expr&) {
  throw py::type_error(
      "an expression has no value yet: it cannot be a condition, be compared, or become a number; "
      "functions made of pieces are dal.where(number, a, b), which is a where number >= 0, "
      "dal.maximum and dal.minimum, and functions are those of numpy, not of math");
}

void add_comparisons(Class& type) {
  for (const char* name : {"__lt__", "__le__", "__gt__", "__ge__"})
    type.def(name, [](const Expr& x, const py::object&) { refuse_number(x); });
  for (const char* name : {"__bool__", "__int__", "__complex__"}) type.def(name, &refuse_number);
  type.def("__float__", [](const Expr& x) {
    if (!x.is_constant()) refuse_number(x);
    return x.constant().high;
  });
  type.def("__eq__", [](const Expr& x, py::handle other) {
    const std::optional<Expr> y = expression_of(other);
    return y && same(x, *y);
  });
  type.def("__hash__", [](const Expr& x) {
    return x.is_constant() ? py::hash(py::float_(x.constant().high))
                           : static_cast<py::ssize_t>(x.id());
  });
}

/// The names by which NumPy calls functions of arrays of objects.
void add_functions(Class& type) {
#define DALEMBERT_ROW(name, ...) type.def(#name, [](const Expr& x) { return name(x); });
  DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
  type.def("arcsinh", [](const Expr& x) { return log(x + sqrt(square(x) + 1.0)); });
  type.def("arccosh", [](const Expr& x) { return log(x + sqrt(square(x) - 1.0)); });
  type.def("arctanh", [](const Expr& x) { return 0.5 * log((1.0 + x) / (1.0 - x)); });
  type.def("exp2", [](const Expr& x) { return exp(x * log(Expr(2.0))); });
  for (const char* name : {"degrees", "rad2deg"})
    type.def(name, [](const Expr& x) { return x * (Expr(180.0) / Expr(pi_constant)); });
  for (const char* name : {"radians", "deg2rad"})
    type.def(name, [](const Expr& x) { return x * (Expr(pi_constant) / 180.0); });
  type.def("arcsin", [](const Expr& x) { return asin(x); });
  type.def("arccos", [](const Expr& x) { return acos(x); });
  type.def("arctan", [](const Expr& x) { return atan(x); });
  type.def("arctan2", [](const Expr& y, py::handle x) { return atan2(y, expression_of(x, "x")); });
  type.def("hypot", [](const Expr& x, py::handle y) {
    return sqrt(square(x) + square(expression_of(y, "y")));
  });
  type.def("log10", [](const Expr& x) { return log(x) / log(Expr(10.0)); });
  type.def("log2", [](const Expr& x) { return log(x) / log(Expr(2.0)); });
  type.def("square", [](const Expr& x) { return square(x); });
  type.def("conjugate", [](const Expr& x) { return x; });
  type.def("__abs__", [](const Expr& x) { return abs(x); });
  type.def("__floor__", [](const Expr& x) { return floor(x); });
}

/// The value of an expression for numbers by the names of its symbols.
double evaluate(const Expr& expression, const std::map<std::string, double>& values) {
  if (expression.is_constant()) return expression.constant().high;
  const Graph& graph = *expression.graph();
  Vector symbols;
  std::vector<double> numbers;
  for (const NodeId id : reachable(graph, {expression.id()})) {
    const Operation operation = graph.node(id).operation;
    if (operation == Operation::function)
      throw RequestError("an expression with the function \"" + graph.name(id) + "\" has no value");
    if (operation != Operation::symbol) continue;
    const auto given = values.find(graph.name(id));
    if (given == values.end())
      throw RequestError("the expression contains \"" + graph.name(id) + "\"; give its value");
    symbols.emplace_back(expression.graph(), id);
    numbers.push_back(given->second);
  }
  return CompiledFunction(symbols, {expression})(numbers).front();
}

/// Functions of several expressions, which numpy does not have for objects.
void add_free_functions(py::module_& module) {
  module.def(
      "where",
      [](py::handle number, py::handle a, py::handle b) {
        return select(expression_of(number, "number"), expression_of(a, "a"),
                      expression_of(b, "b"));
      },
      "number"_a, "a"_a, "b"_a);
  module.def(
      "maximum",
      [](py::handle a, py::handle b) { return max(expression_of(a, "a"), expression_of(b, "b")); },
      "a"_a, "b"_a);
  module.def(
      "minimum",
      [](py::handle a, py::handle b) { return min(expression_of(a, "a"), expression_of(b, "b")); },
      "a"_a, "b"_a);
  module.def(
      "atan2",
      [](py::handle y, py::handle x) {
        return atan2(expression_of(y, "y"), expression_of(x, "x"));
      },
      "y"_a, "x"_a);
  module.def("pi", [] { return Expr(pi_constant); });
  module.def(
      "solve_linear",
      [](py::handle matrix, py::handle right) {
        return array_of(solve_linear(matrix_of(matrix, "matrix"), vector_of(right, "right_side")));
      },
      "matrix"_a, "right_side"_a);
  module.def(
      "gradient",
      [](py::handle function, py::handle variables) {
        return array_of(
            gradient(expression_of(function, "function"), vector_of(variables, "variables")));
      },
      "function"_a, "variables"_a);
}

}  // namespace

void add_expressions(py::module_& module) {
  Class type(
      module, "Expression",
      "A real expression in the symbols of a system: what equations of systems and methods are "
      "written in.\n\nOperators, abs() and the functions of NumPy make new ones; results are "
      "simplified where the value is the same for all finite arguments, and constants keep 106 "
      "bits: Expression(1)/3. It has no value, so comparisons, bool() and float() raise "
      "TypeError. x == y says whether both are the same expression.");
  type.def(py::init([](py::handle value) { return expression_of(value, "value"); }), "value"_a);
  add_operator(type, "add", [](const Expr& x, const Expr& y) { return x + y; });
  add_operator(type, "sub", [](const Expr& x, const Expr& y) { return x - y; });
  add_operator(type, "mul", [](const Expr& x, const Expr& y) { return x * y; });
  add_operator(type, "truediv", [](const Expr& x, const Expr& y) { return x / y; });
  add_operator(type, "pow", [](const Expr& x, const Expr& y) { return pow(x, y); });
  type.def("__neg__", [](const Expr& x) { return -x; });
  type.def("__pos__", [](const Expr& x) { return x; });
  add_comparisons(type);
  add_functions(type);
  type.def(
      "diff",
      [](const Expr& x, py::handle symbol) {
        return gradient(x, {expression_of(symbol, "symbol")}).front();
      },
      "symbol"_a, "The derivative by a symbol.");
  type.def("evaluate", &evaluate, "values"_a,
           "The value, with numbers by the names of the symbols that it contains.");
  type.def(
      "to_sympy",
      [](const py::object& x) {
        return py::module_::import("dalembert.symbolic").attr("to_sympy")(x);
      },
      "The same in SymPy; names become real symbols.");
  type.def("to_latex", &to_latex, "The same in LaTeX, for mathematics mode.");
  type.def("to_mathml", &to_mathml, "The same in MathML, to stand inside <math>.");
  type.def("_repr_latex_", [](const Expr& x) -> py::object {
    try {
      return py::str("$\\displaystyle " + to_latex(x) + "$");
    } catch (const RequestError&) {  // too long: the text says less
      return py::none();
    }
  });
  type.def_property_readonly(
      "is_constant", [](const Expr& x) { return x.is_constant(); }, "Whether it is a number.");
  type.def("__repr__", [](const Expr& x) { return to_string(x); });
  type.def(py::pickle([](const Expr& x) { return serialise({x}); },
                      [](const std::string& text) { return deserialise(text).at(0); }));
  add_free_functions(module);
}

}  // namespace dalembert::python
