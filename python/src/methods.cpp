// Methods whose equations are typed in Python.

#include <pybind11/stl.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/notation/latex.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/text/describe.hpp"
#include "dalembert/method/text/step_equations.hpp"
#include "dalembert/study/method_text.hpp"
#include "lock.hpp"
#include "module.hpp"
#include "systems.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;

namespace {

/// The unknowns of a step whose equations are being written. Who keeps it longer is told so.
class StepUnknowns {
 public:
  explicit StepUnknowns(Unknowns& unknowns) : unknowns_(&unknowns) {}
  void end() { unknowns_ = nullptr; }

  py::object vector(const std::string& name, py::handle guess) const {
    return array_of(open().vector(name, vector_of(guess, "the guess of \"" + name + "\"")));
  }
  py::object multiplier(const std::string& name, py::handle start) const {
    return array_of(open().multiplier(name, vector_of(start, "the start of \"" + name + "\"")));
  }

 private:
  Unknowns& open() const {
    if (unknowns_ == nullptr)
      throw RequestError("unknowns belong to one step; this one's equations are written already");
    return *unknowns_;
  }

  Unknowns* unknowns_;
};

/// Calls what was typed, with the interpreter's lock. What it refuses with a RequestError is one
/// here, too.
template <class Task>
auto in_python(Task task) {
  const Locked locked;
  try {
    return task();
  } catch (const py::error_already_set& error) {
    const py::object refusal = py::module_::import("dalembert.errors").attr("RequestError");
    if (!error.matches(refusal)) throw;
    throw RequestError(py::str(error.value()).cast<std::string>());
  }
}

py::dict state_entry(const State& state) {
  return py::dict("q"_a = array_of(state.q), "v"_a = array_of(state.v),
                  "lam"_a = array_of(state.lambda), "carried"_a = array_of(state.carried),
                  "t"_a = state.t);
}

Equations equations_of(const py::dict& said) {
  const auto part = [&](const char* key) { return vector_of(said[key], key); };
  return {.zero = part("zero"),
          .constraint = part("constraint"),
          .after = {.q = part("q"),
                    .v = part("v"),
                    .lambda = part("lam"),
                    .carried = part("carried"),
                    .error_estimate = part("error_estimate")},
          .velocity_change = part("velocity_change"),
          .velocity_rest = part("velocity_rest")};
}

/// A function of Python (system, state, unknowns, h) as the equations of a step or of a piece.
auto step_equations(const py::object& function) {
  return [function = held(function)](const System& system, const State& before, Unknowns& unknowns,
                                     const Expr& h) {
    return in_python([&] {
      const auto open = std::make_shared<StepUnknowns>(unknowns);
      const py::object said = (*function)(system, state_entry(before), open, h);
      open->end();
      return equations_of(said.cast<py::dict>());
    });
  };
}

std::optional<LagrangianKind> lagrangian_kind(py::handle word) {
  if (word.is_none()) return std::nullopt;
  const auto text = word.cast<std::string>();
  if (text == "constant") return LagrangianKind::constant_mass;
  if (text == "position") return LagrangianKind::configuration_mass;
  if (text == "general") return LagrangianKind::general;
  return LagrangianKind::skew_gradient;
}

ConstraintKind constraint_kind(py::handle word) {
  const auto text = word.cast<std::string>();
  if (text == "none") return ConstraintKind::none;
  if (text == "linear") return ConstraintKind::linear;
  return text == "affine" ? ConstraintKind::affine : ConstraintKind::nonlinear;
}

Facts facts_of(const py::dict& entry) {
  const auto flag = [&](const char* key) { return entry[key].cast<bool>(); };
  return {.order = entry["order"].cast<int>(),
          .multiplier_order = entry["multiplier_order"].cast<int>(),
          .holonomic_multiplier_order = entry["holonomic_multiplier_order"].cast<int>(),
          .continuous_multiplier = flag("continuous_multiplier"),
          .symmetric = flag("symmetric"),
          .asymmetric_on_groups = flag("asymmetric_on_groups"),
          .reversible = flag("reversible"),
          .maps_constraint_set = flag("maps_constraint_set"),
          .exact_energy = flag("exact_energy"),
          .carries_multiplier = flag("carries_multiplier"),
          .reflects_multiplier = flag("reflects_multiplier"),
          .keeps_fibration = flag("keeps_fibration"),
          .symplectic = lagrangian_kind(entry["symplectic"]),
          .local_order = entry["local_order"].cast<std::optional<int>>()};
}

Requirements needs_of(const py::dict& entry) {
  const auto flag = [&](const char* key) { return entry[key].cast<bool>(); };
  return {.lagrangian = lagrangian_kind(entry["mass"]).value_or(LagrangianKind::constant_mass),
          .constraints = constraint_kind(entry["constraints"]),
          .handles_time = flag("time"),
          .handles_skew_gradient = entry["mass"].cast<std::string>() == "skew-gradient",
          .handles_force = flag("force"),
          .handles_holonomic = flag("holonomic"),
          .handles_nonholonomic = flag("nonholonomic"),
          .handles_groups = flag("groups"),
          .reason = entry["reason"].cast<std::string>()};
}

std::vector<SplittingPiece> pieces_of(const py::list& entries) {
  std::vector<SplittingPiece> pieces;
  for (const py::handle one : entries) {
    const auto entry = one.cast<py::dict>();
    const Expr fraction = expression_of(entry["fraction"], "the fraction of a piece");
    if (!fraction.is_constant()) throw RequestError("the fraction of a piece must be a number");
    pieces.push_back({.name = entry["name"].cast<std::string>(),
                      .map = step_equations(entry["map"]),
                      .moves_time = entry["moves_time"].cast<bool>(),
                      .is_flow = entry["is_flow"].cast<bool>(),
                      .fraction = fraction.constant()});
  }
  return pieces;
}

/// What is optional: each is None where the method has none.
void add_hooks(MethodDefinition& definition, const py::dict& entry) {
  if (!entry["carries"].is_none()) {
    definition.carries = [function = held(entry["carries"])](const System& system) {
      return in_python(
          [&] { return (*function)(system).template cast<std::vector<std::string>>(); });
    };
  }
  if (!entry["start"].is_none()) {
    definition.start = [function = held(entry["start"])](const System& system, const State& start) {
      return in_python(
          [&] { return vector_of((*function)(system, state_entry(start)), "the start"); });
    };
  }
  if (!entry["misfit"].is_none()) {
    definition.misfit = [function = held(entry["misfit"])](const System& system) {
      return in_python(
          [&] { return (*function)(system).template cast<std::optional<std::string>>(); });
    };
  }
}

Method define_method(const py::dict& entry) {
  const auto name = entry["name"].cast<std::string>();
  if (find_method(name) != nullptr)
    throw RequestError("\"" + name + "\" is a method of the library; give another name");
  const py::object pieces_entry = entry["pieces"];
  MethodDefinition definition{.name = name,
                              .title = entry["title"].cast<std::string>(),
                              .description = entry["description"].cast<std::string>(),
                              .source = entry["source"].cast<std::string>(),
                              .facts = facts_of(entry["facts"]),
                              .requirements = needs_of(entry["needs"]),
                              .equations = step_equations(entry["equations"]),
                              .error_tolerance = entry["error_tolerance"].cast<double>()};
  if (!pieces_entry.is_none()) {
    std::vector<SplittingPiece> pieces = pieces_of(pieces_entry);
    if (entry["symmetric_sequence"].cast<bool>()) pieces = symmetric_sequence(std::move(pieces));
    definition.pieces = [pieces](const System&, const State&) { return pieces; };
    definition.equations = [pieces](const System& system, const State& before, Unknowns& unknowns,
                                    const Expr& h) {
      return apply_pieces(pieces, system, before, unknowns, h);
    };
  }
  add_hooks(definition, entry);
  return Method(std::move(definition));
}

/// A method of the library with options; those that are methods may be typed ones.
Method method_of_library(const std::string& text, const py::dict& options) {
  MethodSpec spec = study::parse_method(text);
  for (const auto& [key, value] : options) {
    const std::string name = py::str(key);
    if (py::isinstance<Method>(value)) {
      spec.options[name] = std::make_shared<const MethodSpec>(value.cast<Method>().spec());
    } else if (py::isinstance<py::str>(value)) {
      spec.options[name] = value.cast<std::string>();
    } else {
      spec.options[name] = value.cast<double>();
    }
  }
  return make_method(spec);
}

/// The equations of a step as lines of an environment that aligns them at their signs; none where
/// words stand among them.
std::vector<std::string> latex_equations(const Method& method) {
  std::vector<std::string> lines;
  for (const EquationLine& line : step_equations(method)) {
    if (!line.is_equation()) return {};
    lines.push_back(latex_name(line.left) + " &= " + to_latex(line.right));
  }
  return lines;
}

}  // namespace

void add_methods(py::module_& module) {
  py::class_<StepUnknowns, std::shared_ptr<StepUnknowns>>(
      module, "Unknowns",
      "The unknowns of one step. Each is a guess and an increment, which is what is solved for: so "
      "round-off stays relative to the change within a step.")
      .def("vector", &StepUnknowns::vector, "name"_a, "guess"_a, "Unknowns near a guess.")
      .def("multiplier", &StepUnknowns::multiplier, "name"_a, "start"_a,
           "Multipliers: linear systems are solved about zero, an iteration begins at start.");
  py::class_<Method>(module, "Method")
      .def(py::init(&define_method), "definition"_a)
      .def_static("of_library", &method_of_library, "text"_a, "options"_a)
      .def_property_readonly("name", &Method::name)
      .def_property_readonly("label", [](const Method& method) { return label(method.spec()); })
      .def("equations", [](const Method& method) { return describe_equations(method); })
      .def("latex_equations", &latex_equations)
      .def("promises", [](const Method& method) { return describe_facts(method.facts()); })
      .def("needs",
           [](const Method& method) { return describe_requirements(method.requirements()); })
      .def("misfit",
           [](const Method& method, const System& system) { return method.misfit(system); });
}

}  // namespace dalembert::python
