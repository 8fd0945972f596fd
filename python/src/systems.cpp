#include "systems.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/serialise_system.hpp"
#include "dalembert/mechanics/system.hpp"
#include "lock.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;

Held held(py::object value) {
  return {new py::object(std::move(value)), [](py::object* object) {
            // At exit the interpreter may be gone before what refers to it.
            if (Py_IsInitialized() == 0) {
              object->release();
            } else {
              const Locked locked;
              *object = py::object();
            }
            delete object;
          }};
}

namespace {

Coordinate coordinate_of(const py::tuple& entry) {
  return {entry[0].cast<std::string>(), entry[1].cast<bool>(), entry[2].cast<std::string>()};
}

Parameter parameter_of(const py::dict& entry) {
  Parameter parameter{.name = entry["name"].cast<std::string>(),
                      .value = entry["value"].cast<double>(),
                      .min = entry["min"].cast<double>(),
                      .max = entry["max"].cast<double>(),
                      .min_exclusive = entry["min_exclusive"].cast<bool>(),
                      .max_exclusive = entry["max_exclusive"].cast<bool>(),
                      .description = entry["description"].cast<std::string>()};
  if (!parameter.admits(parameter.value)) {
    throw RequestError("parameter \"" + parameter.name + "\" is " + to_string(parameter.value) +
                       "; it must be " + parameter.range_text());
  }
  return parameter;
}

SystemDescription description_of(const py::dict& entry) {
  SystemDescription description{.name = entry["name"].cast<std::string>(),
                                .coordinates = {},
                                .description = entry["description"].cast<std::string>(),
                                .source = entry["source"].cast<std::string>()};
  for (const py::handle one : entry["coordinates"])
    description.coordinates.push_back(coordinate_of(one.cast<py::tuple>()));
  for (const py::handle one : entry["parameters"])
    description.parameters.push_back(parameter_of(one.cast<py::dict>()));
  return description;
}

/// What equations are written in, by the names of coordinates and parameters.
py::dict symbols_entry(const SystemDescription& description, const Symbols& symbols) {
  py::dict positions, velocities, parameters;
  for (const Coordinate& coordinate : description.coordinates) {
    const Symbols::Element& element = symbols.element(coordinate.name);
    const py::str name(coordinate.name);
    if (coordinate.group.empty()) {
      positions[name] = element.variables.front();
      velocities[name] = element.velocity.front();
    } else {
      const bool is_matrix = element.matrix.rows() > 0;
      positions[name] = is_matrix ? array_of(element.matrix) : array_of(element.variables);
      velocities[name] = array_of(element.velocity);
    }
  }
  for (const Parameter& parameter : description.parameters)
    parameters[py::str(parameter.name)] = symbols[parameter.name];
  return py::dict("q"_a = array_of(symbols.variables), "v"_a = array_of(symbols.v),
                  "t"_a = symbols.t, "positions"_a = positions, "velocities"_a = velocities,
                  "parameters"_a = parameters);
}

Mechanics mechanics_of(const py::dict& entry) {
  Mechanics mechanics;
  mechanics.kinetic = expression_of(entry["kinetic"], "kinetic");
  mechanics.potential = expression_of(entry["potential"], "potential");
  if (!entry["lagrangian"].is_none())
    mechanics.lagrangian = expression_of(entry["lagrangian"], "lagrangian");
  mechanics.constraints = vector_of(entry["constraints"], "constraints");
  mechanics.holonomic = vector_of(entry["holonomic"], "holonomic");
  mechanics.force = vector_of(entry["force"], "force");
  for (const py::handle reaction : entry["reactions"])
    mechanics.reactions.push_back(vector_of(reaction, "a reaction"));
  for (const auto& [name, value] : entry["integrals"].cast<py::dict>()) {
    const std::string text = py::str(name);
    mechanics.integrals.emplace_back(text, expression_of(value, "integral \"" + text + "\""));
  }
  if (!entry["reversal"].is_none()) mechanics.reversal = numbers_of(entry["reversal"], "reversal");
  if (!entry["structure"].is_none()) {
    mechanics.skew_gradient = {expression_of(entry["hamiltonian"], "hamiltonian"),
                               matrix_of(entry["structure"], "structure")};
  }
  for (const py::handle field : entry["frame"])
    mechanics.frame.push_back(vector_of(field, "a field of the frame"));
  return mechanics;
}

/// The system of a description; `equations` is called once with its symbols and says what holds.
System define(const py::dict& entry, const py::function& equations) {
  SystemDescription description = description_of(entry);
  auto [graph, symbols] = System::make_symbols(description);
  const auto said = equations(symbols_entry(description, symbols)).cast<py::dict>();
  description.multiplier_names = said["multipliers"].cast<std::vector<std::string>>();
  Mechanics mechanics = mechanics_of(said);
  // With the interpreter's lock: other threads may hold expressions of the same graph.
  return System::define(std::move(description), graph, symbols, std::move(mechanics));
}

/// A function of (q, v, t), where t may be left out.
template <class Result>
auto of_motion(Result (System::*timeless)(const Vector&, const Vector&) const,
               Result (System::*timed)(const Vector&, const Vector&, const Expr&) const) {
  return [=](const System& system, py::handle q, py::handle v, py::handle t) {
    const Vector position = vector_of(q, "q"), velocity = vector_of(v, "v");
    if constexpr (std::is_same_v<Result, Expr>) {
      return t.is_none() ? (system.*timeless)(position, velocity)
                         : (system.*timed)(position, velocity, expression_of(t, "t"));
    } else {
      return array_of(t.is_none() ? (system.*timeless)(position, velocity)
                                  : (system.*timed)(position, velocity, expression_of(t, "t")));
    }
  };
}

/// The time that stands in expressions beside these.
Expr time_beside(const System& system, const Vector& beside, py::handle t) {
  return t.is_none() ? system.symbols(beside).t : expression_of(t, "t");
}

using SystemClass = py::class_<System>;

void add_energies(SystemClass& type) {
  const auto motion = [&](const char* name, auto function) {
    type.def(name, function, "q"_a, "v"_a, "t"_a = py::none());
  };
  motion("lagrangian", of_motion<Expr>(&System::lagrangian, &System::lagrangian));
  motion("energy", of_motion<Expr>(&System::energy, &System::energy));
  motion("momentum", of_motion<Vector>(&System::momentum, &System::momentum));
  motion("lagrangian_gradient",
         of_motion<Vector>(&System::lagrangian_gradient, &System::lagrangian_gradient));
  motion("constraint", of_motion<Vector>(&System::constraint, &System::constraint));
  motion("unconstrained_acceleration", of_motion<Vector>(&System::unconstrained_acceleration,
                                                         &System::unconstrained_acceleration));
  motion("force", [](const System& system, py::handle q, py::handle v, py::handle t) {
    const Vector position = vector_of(q, "q"), velocity = vector_of(v, "v");
    return array_of(system.force(position, velocity, time_beside(system, position, t)));
  });
  motion("eliminated", [](const System& system, py::handle q, py::handle v, py::handle t) {
    const Vector position = vector_of(q, "q"), velocity = vector_of(v, "v");
    const System::Eliminated found =
        system.eliminated(position, velocity, time_beside(system, position, t));
    return py::make_tuple(array_of(found.acceleration), array_of(found.lambda));
  });
  motion("projected_velocity", [](const System& system, py::handle q, py::handle v, py::handle t) {
    const Vector position = vector_of(q, "q"), velocity = vector_of(v, "v");
    return array_of(
        system.projected_velocity(position, velocity, time_beside(system, position, t)));
  });
}

void add_functions_of_position(SystemClass& type) {
  const auto position = [&](const char* name, auto function) {
    type.def(name, function, "q"_a, "t"_a = py::none());
  };
  position("potential", [](const System& system, py::handle q, py::handle t) {
    const Vector at = vector_of(q, "q");
    return t.is_none() ? system.potential(at) : system.potential(at, expression_of(t, "t"));
  });
  position("potential_gradient", [](const System& system, py::handle q, py::handle t) {
    const Vector at = vector_of(q, "q");
    return array_of(t.is_none() ? system.potential_gradient(at)
                                : system.potential_gradient(at, expression_of(t, "t")));
  });
  position("holonomic", [](const System& system, py::handle q, py::handle t) {
    const Vector at = vector_of(q, "q");
    return array_of(system.holonomic(at, time_beside(system, at, t)));
  });
}

void add_matrices(SystemClass& type) {
  type.def(
      "mass",
      [](const System& system, py::handle q, py::handle v, py::handle t) {
        const Vector position = vector_of(q, "q");
        if (v.is_none()) return array_of(system.mass(position));
        return array_of(system.mass(position, vector_of(v, "v"), time_beside(system, position, t)));
      },
      "q"_a, "v"_a = py::none(), "t"_a = py::none());
  type.def(
      "constraint_matrix",
      [](const System& system, py::handle q, py::handle v, py::handle t) {
        const Vector position = vector_of(q, "q");
        if (v.is_none()) return array_of(system.constraint_matrix(position));
        return array_of(system.constraint_matrix(position, vector_of(v, "v"),
                                                 time_beside(system, position, t)));
      },
      "q"_a, "v"_a = py::none(), "t"_a = py::none());
  type.def(
      "constraint_force",
      [](const System& system, py::handle q, py::handle lam, py::handle v, py::handle t) {
        const Vector position = vector_of(q, "q"), lambda = vector_of(lam, "lam");
        if (v.is_none()) return array_of(system.constraint_force(position, lambda));
        return array_of(system.constraint_force(position, vector_of(v, "v"),
                                                time_beside(system, position, t), lambda));
      },
      "q"_a, "lam"_a, "v"_a = py::none(), "t"_a = py::none());
}

}  // namespace

void add_systems(py::module_& module) {
  SystemClass type(
      module, "System",
      "A system as methods see it: its functions give expressions at any point that a method "
      "makes, and take the time last where a system depends on it.");
  type.def_property_readonly(
          "name", [](const System& system) { return system.name(); }, "Its name.")
      .def_property_readonly("dof", &System::dof, "The entries of v, of momenta and of forces.")
      .def_property_readonly("constraint_count", &System::constraint_count,
                             "Multipliers: constraints on velocities, then on positions.")
      .def_property_readonly("holonomic_count", &System::holonomic_count,
                             "Constraints on positions.")
      .def("serialised", [](const System& system) { return serialise(system); })
      .def_static("of_text", &deserialise_system, "text"_a);
  add_energies(type);
  add_functions_of_position(type);
  add_matrices(type);
  module.def("define", &define, "description"_a, "equations"_a);
  module.def(
      "symbols",
      [](const System& system) { return symbols_entry(system.description(), system.symbols()); },
      "system"_a);
}

}  // namespace dalembert::python
