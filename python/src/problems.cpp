#include <pybind11/stl.h>

#include <optional>
#include <utility>

#include "dalembert/document/library.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/choice/method_advice.hpp"
#include "dalembert/study/method_text.hpp"
#include "dalembert/study/run_plan.hpp"
#include "document.hpp"
#include "lock.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// What a document says, as dicts, lists, texts and numbers.
py::object plain(const DocumentNode& node) {
  if (node.is_table()) {
    py::dict table;
    for (const auto& [name, value] : node.table()) table[py::str(name)] = plain(value);
    return table;
  }
  if (node.is_array()) {
    py::list list;
    for (const DocumentNode& value : node.array()) list.append(plain(value));
    return list;
  }
  return std::visit(
      [](const auto& value) -> py::object {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, DocumentNode::Table> ||
                      std::is_same_v<Value, DocumentNode::Array>) {
          return py::none();
        } else {
          return py::cast(value);
        }
      },
      node.value);
}

/// The equations of a system that was made in code, by the same keys.
py::dict equations_of(const System& system) {
  const Mechanics& mechanics = system.mechanics();
  py::dict equations;
  const auto text = [](const Expr& expression) { return py::str(to_string(expression)); };
  const auto texts = [&](const Vector& expressions) {
    py::list list;
    for (const Expr& expression : expressions) list.append(text(expression));
    return list;
  };
  const auto& skew = mechanics.skew_gradient;
  if (skew) {
    equations["hamiltonian"] = text(skew->hamiltonian);
    py::list rows;
    for (std::size_t i = 0; i < skew->structure.rows(); ++i)
      rows.append(texts(skew->structure.row(i)));
    equations["matrix"] = rows;
  } else if (mechanics.lagrangian) {
    equations["lagrangian"] = text(*mechanics.lagrangian);
  } else {
    equations["kinetic"] = text(mechanics.kinetic);
    equations["potential"] = text(mechanics.potential);
  }
  equations["constraints"] = texts(mechanics.constraints);
  equations["holonomic"] = texts(mechanics.holonomic);
  py::dict force, integrals;
  const RecordColumns columns = record_columns(system);
  for (std::size_t i = 0; i < mechanics.force.size(); ++i)
    force[py::str(columns.names[columns.v_begin() + i])] = text(mechanics.force[i]);
  for (const auto& [name, integral] : mechanics.integrals)
    integrals[py::str(name)] = text(integral);
  equations["force"] = force;
  equations["integrals"] = integrals;
  equations["definitions"] = py::dict();
  equations["bodies"] = py::list();
  equations["contacts"] = py::list();
  return equations;
}

/// The equations as they are written, by the keys of problem files.
py::dict equations_of(const ProblemFile& problem) {
  if (problem.system) return equations_of(*problem.system);
  py::dict equations, definitions, integrals;
  for (const auto& [name, node] : problem.definitions) definitions[py::str(name)] = plain(node);
  equations["definitions"] = definitions;
  const auto add = [&](const char* key, const std::optional<DocumentNode>& node) {
    if (node) equations[key] = plain(*node);
  };
  add("kinetic", problem.kinetic);
  add("potential", problem.potential);
  add("lagrangian", problem.lagrangian);
  if (problem.skew_gradient) {
    equations["hamiltonian"] = plain(problem.skew_gradient->hamiltonian);
    py::list rows;
    for (const DocumentNode& row : problem.skew_gradient->matrix) rows.append(plain(row));
    equations["matrix"] = rows;
  }
  const auto nodes = [](const std::vector<DocumentNode>& list) {
    py::list entries;
    for (const DocumentNode& node : list) entries.append(plain(node));
    return entries;
  };
  equations["bodies"] = nodes(problem.space.bodies);
  equations["contacts"] = nodes(problem.space.contacts);
  const auto constraints = [](const std::vector<ConstraintEntry>& list) {
    py::list entries;
    for (const ConstraintEntry& entry : list) entries.append(plain(entry.expression));
    return entries;
  };
  equations["constraints"] = constraints(problem.constraints);
  equations["holonomic"] = constraints(problem.holonomic);
  py::dict force;
  for (const auto& [name, node] : problem.force) force[py::str(name)] = plain(node);
  equations["force"] = force;
  for (const auto& [name, node] : problem.integrals) integrals[py::str(name)] = plain(node);
  equations["integrals"] = integrals;
  return equations;
}

py::dict parameter_entry(const Parameter& parameter) {
  return py::dict("name"_a = parameter.name, "value"_a = parameter.value, "min"_a = parameter.min,
                  "max"_a = parameter.max, "min_exclusive"_a = parameter.min_exclusive,
                  "max_exclusive"_a = parameter.max_exclusive, "allowed"_a = parameter.range_text(),
                  "description"_a = parameter.description);
}

/// A start with velocities, also where it was given by momenta or has to be projected.
py::dict start_entry(const System& system, const Start& start) {
  Start shown = start;
  try {
    shown = prepare_start(system, start);
  } catch (const RequestError&) {
    // The run says why.
  }
  py::dict entry("name"_a = start.name, "q"_a = shown.q, "v"_a = shown.v,
                 "parameters"_a = start.parameters, "description"_a = start.description);
  entry["lam"] = start.lambda ? py::cast(*start.lambda) : py::none();
  return entry;
}

/// A problem of the library or of a file by its name, or a table [system] as a dict.
struct ProblemChoice {
  ProblemFile file;
  Problem problem;
  std::string path = {};
};

ProblemChoice chosen_problem(py::handle reference, const NamedValues& parameters,
                             const Sizes& sizes) {
  if (py::isinstance<py::str>(reference)) {
    const auto name = reference.cast<std::string>();
    const Unlocked unlocked;
    return {read_problem_file(find_problem(name)),
            load_problem(name, {.parameters = parameters, .sizes = sizes}),
            find_problem(name).string()};
  }
  const DocumentNode table = document_of(reference, "system");
  const Unlocked unlocked;
  ProblemFile file = read_problem(table, "system");
  Problem problem = make_problem(file);
  return {std::move(file), std::move(problem)};
}

py::dict problem_entry(py::handle reference, const NamedValues& parameters, const Sizes& sizes) {
  const auto [file, problem, path] = chosen_problem(reference, parameters, sizes);
  const RecordColumns columns = record_columns(problem.system);
  const SystemDescription& description = problem.system.description();
  py::list entries, starts;
  for (const Parameter& parameter : description.parameters)
    entries.append(parameter_entry(parameter));
  for (const Start& start : problem.starts) starts.append(start_entry(problem.system, start));
  std::vector<std::string> angles;
  for (const Coordinate& number : problem.system.configuration().storage())
    if (number.is_angle) angles.push_back(number.name);
  const auto names = [&](std::size_t begin, std::size_t end) {
    return std::vector<std::string>(columns.names.begin() + static_cast<std::ptrdiff_t>(begin),
                                    columns.names.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return py::dict("name"_a = problem.system.name(), "description"_a = file.description,
                  "source"_a = file.source, "conserves"_a = file.conserves,
                  "positions"_a = names(columns.q_begin(), columns.v_begin()), "angles"_a = angles,
                  "velocities"_a = names(columns.v_begin(), columns.lambda_begin()),
                  "multipliers"_a = names(columns.lambda_begin(), columns.energy()),
                  "integrals"_a = names(columns.integrals_begin(), columns.width()),
                  "parameters"_a = entries, "starts"_a = starts, "equations"_a = equations_of(file),
                  "path"_a = path);
}

py::list method_entries() {
  py::list entries;
  for (const MethodEntry& entry : methods())
    entries.append(py::dict("name"_a = entry.name, "title"_a = entry.title,
                            "description"_a = entry.description, "source"_a = entry.source));
  return entries;
}

py::list advice(py::handle reference, const NamedValues& parameters, const Sizes& sizes) {
  const Problem problem = chosen_problem(reference, parameters, sizes).problem;
  std::vector<MethodAdvice> found;
  {
    const Unlocked unlocked;
    found = advise_methods(problem);
  }
  py::list entries;
  for (const MethodAdvice& one : found) entries.append(py::make_tuple(one.method, one.reason));
  return entries;
}

/// The system itself, for steps and equations.
System system_entry(py::handle reference, const NamedValues& parameters, const Sizes& sizes) {
  return chosen_problem(reference, parameters, sizes).problem.system;
}

}  // namespace

void add_problems(py::module_& module) {
  module.def("problem", &problem_entry, "reference"_a, "parameters"_a, "sizes"_a);
  module.def("system", &system_entry, "reference"_a, "parameters"_a, "sizes"_a);
  module.def("problem_names", &problem_names);
  module.def("study_names", &study_names);
  module.def("methods", &method_entries);
  module.def("advice", &advice, "reference"_a, "parameters"_a, "sizes"_a);
}

}  // namespace dalembert::python
