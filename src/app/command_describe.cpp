#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/terminal/message.hpp"
#include "app/terminal/verbosity.hpp"
#include "commands.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/driver_blocks.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/method/describe.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/space/space_text.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/problem/units.hpp"
#include "dalembert/study/false_claims.hpp"
#include "dalembert/study/method_text.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// Text broken at blanks so that lines fit a terminal, or 100 characters, each after `indent`.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::string result, line;
  std::string word;
  constexpr std::size_t usual = 100, least = 40;
  const std::size_t width =
      terminal_width() == 0 ? usual : std::clamp(terminal_width(), least, usual);
  const auto put_word = [&] {
    if (word.empty()) return;
    if (!line.empty() && indent.size() + line.size() + word.size() + 1 >= width) {
      result += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ' || c == '\n') {
      put_word();
    } else {
      word += c;
    }
  }
  put_word();
  return result + (line.empty() ? "" : indent + line + "\n");
}

std::string heading(const std::string& title) { return "\n" + title + "\n"; }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string row(const std::string& name, const std::string& value,
                const std::string& description = "") {
  std::string line = fmt::format("  {:<18} {}", name, value);
  if (!description.empty()) line = fmt::format("{:<46} {}", line, description);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string text_of(const DocumentNode& item) {
  return item.is_text() ? as_text(item) : item.found();
}

std::string list_text(const std::vector<DocumentNode>& items) {
  std::vector<std::string> entries;
  for (const DocumentNode& item : items)
    entries.push_back(item.is_array() ? "(" + list_text(item.array()) + ")" : text_of(item));
  return joined(entries);
}

/// A value of a start by name as it is written: { R = "identity", x = 1 }.
std::string by_name_text(const DocumentNode& node) {
  std::vector<std::string> entries;
  if (node.is_table()) {
    for (const auto& [name, value] : node.table())
      entries.push_back(name + " = " + by_name_text(value));
    return "{ " + joined(entries) + " }";
  }
  if (!node.is_array()) return text_of(node);
  for (const DocumentNode& value : node.array()) entries.push_back(by_name_text(value));
  return "[" + joined(entries) + "]";
}

/// On groups: "SO(3) x R^2, 5 velocities, 6 numbers".
std::string configuration_text(const System& system) {
  if (!system.traits().has_groups) return "";
  return heading("Configuration space") + "  " + system.configuration().text() + ", " +
         std::to_string(system.dof()) + " velocities, " + std::to_string(system.storage_count()) +
         " numbers\n";
}

/// The unit of one quantity of a problem with a table of units; else "".
std::string shown_unit(const ProblemFile& problem, const std::string& name) {
  return problem.units.by_name.empty() ? "" : unit_of(problem, name);
}

/// What is to be said of units as a whole, of time and of the energy.
std::string units_text(const ProblemFile& problem) {
  if (!problem.units.are_known()) return "";
  std::string text = problem.units.whole;
  for (const char* name : {"t", "energy"}) {
    const std::string unit = shown_unit(problem, name);
    if (!unit.empty()) text += (text.empty() ? "" : ", ") + std::string(name) + " in " + unit;
  }
  return text.empty() ? "" : heading("Units") + wrapped(text, "  ");
}

std::string coordinates_text(const ProblemFile& problem) {
  std::vector<std::string> names;
  for (const CoordinateEntry& entry : problem.coordinates) {
    const std::string unit = shown_unit(problem, entry.name);
    const std::string after = entry.is_angle ? "angle" + (unit.empty() ? "" : ", " + unit) : unit;
    names.push_back(entry.text() + (after.empty() ? "" : " (" + after + ")"));
  }
  return joined(names);
}

/// The tables [[body]] and [[contact]] as they are written.
std::string space_tables_text(const ProblemFile& problem) {
  std::string text;
  const auto add = [&](const char* title, const std::vector<DocumentNode>& tables) {
    if (!tables.empty()) text += heading(title);
    for (const DocumentNode& table : tables) text += wrapped(by_name_text(table), "  ");
  };
  add("Bodies", problem.space.bodies);
  const auto& gravity = problem.space.gravity;
  if (gravity) text += row("gravity", "[" + list_text(as_list(*gravity)) + "]");
  add("Contacts", problem.space.contacts);
  return text;
}

/// "x_dot - y = 0", after the name of its multiplier if it has one.
std::string constraint_text(const ConstraintEntry& entry) {
  return (entry.name.empty() ? "" : entry.name + ": ") + text_of(entry.expression) + " = 0";
}

std::string equations_text(const ProblemFile& problem) {
  std::string text;
  if (!problem.definitions.empty() || !problem.space.vectors.empty())
    text += heading("Definitions");
  for (const auto& [name, item] : problem.definitions) text += row(name, text_of(item));
  for (const auto& [name, item] : problem.space.vectors)
    text += row(name, item.is_array() ? "[" + list_text(item.array()) + "]" : text_of(item));
  text += space_tables_text(problem);
  std::string lines;
  if (problem.kinetic) lines += wrapped("kinetic energy  " + text_of(*problem.kinetic), "  ");
  if (problem.potential) lines += wrapped("potential       " + text_of(*problem.potential), "  ");
  if (problem.lagrangian) lines += wrapped("Lagrangian      " + text_of(*problem.lagrangian), "  ");
  for (const ConstraintEntry& item : problem.constraints)
    lines += wrapped("constraint      " + constraint_text(item), "  ");
  for (const ConstraintEntry& item : problem.holonomic)
    lines += wrapped("holonomic       " + constraint_text(item), "  ");
  for (const auto& [name, item] : problem.force) {
    const bool friction = name == "dissipation" && !item.key.ends_with("force.dissipation");
    lines += wrapped((friction ? "" : "force on ") + name + "  " + text_of(item), "  ");
  }
  if (problem.skew_gradient) {
    lines += "  zeta' = Pi(zeta) dH(zeta)\n" +
             wrapped("Hamiltonian H = " + text_of(problem.skew_gradient->hamiltonian), "  ");
    for (const DocumentNode& matrix_row : problem.skew_gradient->matrix)
      lines += wrapped("row of Pi  " + list_text(as_list(matrix_row)), "  ");
  }
  return text + (lines.empty() ? "" : heading("Equations") + lines);
}

std::string lagrangian_kind_text(LagrangianKind kind) {
  switch (kind) {
    case LagrangianKind::constant_mass:
      return "v.M v/2 - V(q) with a constant mass M";
    case LagrangianKind::configuration_mass:
      return "v.M(q) v/2 - V(q)";
    case LagrangianKind::general:
      return "neither v.M v/2 - V(q) nor v.M(q) v/2 - V(q)";
    case LagrangianKind::skew_gradient:
      break;
  }
  return "none: a system in skew-gradient form";
}

/// "drivers xi, passengers x1, x2: ..." where a system has such parts; else nothing.
std::string drivers_text(const System& system) {
  if (DriverBlocks::misfit(system)) return "";
  const DriverBlocks blocks = DriverBlocks::of(system);
  const auto names = [&](const std::vector<std::size_t>& part) {
    std::vector<std::string> result;
    for (const std::size_t i : part) result.push_back(system.description().coordinates[i].name);
    return joined(result);
  };
  const bool timed = system.traits().time_dependent;
  std::string text = "constraints act on the passengers " + names(blocks.passengers);
  if (!blocks.drivers.empty() || timed) {
    text += ", with coefficients set by " +
            (blocks.drivers.empty()
                 ? std::string("time")
                 : "the drivers " + names(blocks.drivers) + (timed ? " and time" : ""));
  }
  if (!blocks.drivers.empty()) {
    text += blocks.potential_splits ? "; the potential is one of drivers and one of passengers"
                                    : "; the potential couples drivers and passengers, too";
  }
  return wrapped(text, "  ");
}

/// What kind of system the equations make, found out from them.
std::string kinds_text(const System& system) {
  std::string text =
      heading("Kind") +
      wrapped("Lagrangian: " + lagrangian_kind_text(system.traits().lagrangian), "  ");
  if (system.is_skew_gradient()) return text;
  const Symbols s = system.symbols();
  const Vector phi = system.constraint(s.q, s.v, s.t);
  const std::vector<std::string> names = system.multiplier_names();
  for (std::size_t i = 0; i < phi.size(); ++i) {
    const Vector at_rest = substitute(Vector{phi[i]}, s.v, zeros(system.dof()));
    const bool on_positions = i >= system.nonholonomic_count();
    const std::string number = "lambda_" + std::to_string(i + 1);
    text += fmt::format("  constraint {}{}: {}{}\n", i + 1,
                        names[i] == number ? "" : " (" + names[i] + ")",
                        on_positions                       ? "on positions"
                        : !is_linear(phi[i], s.v)          ? "nonlinear in the velocities"
                        : at_rest.front().is_constant(0.0) ? "linear in the velocities"
                                                           : "affine in the velocities",
                        depends_on(phi[i], {s.t}) ? ", depends on time" : "");
  }
  if (system.traits().forced) text += "  external forces\n";
  if (system.traits().time_dependent) text += "  depends on time\n";
  return text + drivers_text(system);
}

/// What the system keeps, found out from its equations.
std::string conservation_text(const Problem& problem) {
  const Start start = problem.starts.empty() ? Start{} : problem.starts.front();
  const Conservation found = conservation(problem.system, start.q, start.v);
  std::string reasons;
  for (const std::string& reason : found.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
  std::string text = wrapped(
      std::string(found.energy ? "energy: kept, because " : "energy: not kept, because ") + reasons,
      "  ");
  for (const Conservation::Integral& integral : found.integrals) {
    text += wrapped(integral.name + (integral.kept ? ": kept" : ": NOT kept") +
                        fmt::format(" (rate of change {} at {} random states of the motion)",
                                    integral.kept ? "zero to round-off" : to_string(integral.rate),
                                    found.states),
                    "  ");
  }
  return heading("Conserved quantities") + text;
}

std::string properties_text(const ProblemFile& problem) {
  std::string text;
  for (const auto& [name, item] : problem.integrals) text += row("integral " + name, text_of(item));
  if (problem.reversal)
    text += row("reversal", "signs of q: " + list_text(as_list(*problem.reversal)));
  for (const DocumentNode& item : problem.frame)
    text += row("frame vector", item.is_array() ? list_text(item.array()) : text_of(item));
  return text.empty() ? "" : heading("Properties") + text;
}

std::string starts_text(const ProblemFile& problem) {
  if (problem.starts.empty()) return "";
  std::string text = heading("Starts");
  for (const StartEntry& start : problem.starts) {
    text += "  " + start.name + "\n" + wrapped(start.description, "      ");
    if (start.position) text += wrapped("position " + by_name_text(*start.position), "      ");
    if (!start.q.empty()) {
      text += wrapped((problem.skew_gradient ? "zeta = (" : "q = (") + list_text(start.q) + ")",
                      "      ");
    }
    if (start.velocity) text += wrapped("velocity " + by_name_text(*start.velocity), "      ");
    if (!start.v.empty()) text += wrapped("v = (" + list_text(start.v) + ")", "      ");
    if (start.p) text += wrapped("p = (" + list_text(*start.p) + ")", "      ");
    for (const auto& [name, item] : start.parameters)
      text += "      " + name + " = " + text_of(item) + "\n";
    for (const auto& [name, value] : start.sizes)
      text += "      " + name + " = " + std::to_string(value) + "\n";
    if (start.free)
      text += "      " + list_text(as_list(*start.free)) + " follow from the constraints\n";
    if (start.project) text += "      brought onto the constraints\n";
  }
  return text;
}

/// What bodies and contacts have made, as equations; nothing without them.
std::string bodies_text(const ProblemFile& problem, const System& system) {
  if (problem.space.bodies.empty() && problem.space.joints.empty()) return "";
  const SpaceText made = space_text(problem, system);
  std::string text = heading("Equations with bodies and contacts");
  for (const auto& [name, expression] : made.parts)
    text += wrapped(name + " = " + expression, "  ");
  for (const auto& [name, expression] : made.equations)
    text += wrapped(name + ": " + expression, "  ");
  return text;
}

/// What is found out from the equations. RequestError where they or the starts are wrong.
std::string findings_text(const ProblemFile& problem, const Problem& made) {
  for (const Start& start : made.starts) {
    try {
      static_cast<void>(prepare_start(made.system, start));
    } catch (const RequestError& error) {
      throw error.at(problem.name + ": start \"" + start.name + "\"");
    }
  }
  const System& system = made.system;
  return bodies_text(problem, system) + configuration_text(system) + kinds_text(system) +
         conservation_text(made) + heading("Methods that fit") +
         wrapped(joined(fitting_methods(system)), "  ");
}

std::string problem_page(const ProblemFile& problem) {
  std::string text = problem.name + "\n\n" + wrapped(problem.description, "  ");
  if (!problem.source.empty()) text += "\n" + wrapped("Source: " + problem.source, "  ");
  if (!problem.coordinates.empty())
    text += heading("Coordinates") + wrapped(coordinates_text(problem), "  ");
  text += units_text(problem);
  if (!problem.parameters.empty()) text += heading("Parameters");
  for (const Parameter& parameter : problem.parameters) {
    const std::string unit = shown_unit(problem, parameter.name);
    text += row(parameter.name,
                to_string(parameter.value) + (unit.empty() ? "" : " " + unit) + ", " +
                    parameter.range_text(),
                parameter.description);
  }
  if (!problem.sizes.empty()) text += heading("Sizes");
  for (const SizeEntry& size : problem.sizes) {
    text += row(size.name, fmt::format("{}, in [{}, {}]", size.value, size.min, size.max),
                size.description);
  }
  return text + equations_text(problem) + properties_text(problem) + starts_text(problem);
}

std::string option_range(const OptionInfo& option) {
  if (!option.choices.empty()) return "one of " + joined(option.choices);
  if (!std::holds_alternative<double>(option.default_value)) return "a method";
  return fmt::format("{} in [{}, {}]", option.whole ? "whole number" : "number",
                     to_string(option.min), to_string(option.max));
}

std::string method_page(const MethodEntry& entry, const Method& method) {
  std::string text = entry.name + ": " + entry.title + "\n\n" + wrapped(entry.description, "  ") +
                     "\n" + wrapped("Source: " + entry.source, "  ");
  if (!entry.options.empty()) text += heading("Options");
  for (const OptionInfo& option : entry.options) {
    text += row(option.name, fmt::format("default {}, {}", option_text(option.default_value),
                                         option_range(option))) +
            wrapped(option.description, "                     ");
  }
  text += heading("Equations of one step");
  for (const std::string& line : describe_equations(method)) text += "  " + line + "\n";
  const std::string chosen = label(method.spec());
  text +=
      heading(chosen == entry.name ? "Properties with these defaults" : "Properties of " + chosen);
  for (const std::string& line : describe_facts(method.facts())) text += "  " + line + "\n";
  return text + heading("Needs") + wrapped(describe_requirements(method.requirements()), "  ");
}

/// Whether the method fits the problem, in words.
std::string fit_text(const Method& method, const std::string& problem) {
  const System system = load_problem(problem).system;
  const std::optional<std::string> misfit = method.misfit(system);
  return heading("On " + system.name()) +
         wrapped(misfit ? "cannot be used: " + *misfit +
                              "; methods that fit: " + joined(fitting_methods(system))
                        : "can be used",
                 "  ");
}

int describe(const std::string& name, const std::string& with) {
  const auto& all = methods();
  const std::string type = name.substr(0, name.find('('));
  const auto entry = std::ranges::find(all, type, &MethodEntry::name);
  if (entry != all.end()) {
    const Method method = make_method(parse_method(name));
    print(method_page(*entry, method) + (with.empty() ? "" : fit_text(method, with)));
    return success;
  }
  std::vector<std::string> names = problem_names();
  const bool is_path = name.find('/') != std::string::npos || name.ends_with(".toml");
  if (is_path || std::find(names.begin(), names.end(), name) != names.end()) {
    if (!with.empty())
      throw RequestError("--with asks whether a method fits a problem; \"" + name +
                         "\" is a problem, whose page lists the methods that fit");
    const ProblemFile problem = read_problem_file(find_problem(name));
    // Wrong equations have no page; wrong starts are looked up in it.
    static_cast<void>(make_system(problem));
    print(problem_page(problem));
    const Problem made = make_problem(problem);
    print(findings_text(problem, made));
    for (const std::string& claim : false_claims(problem, made)) complain("warning: " + claim);
    return success;
  }
  for (const MethodEntry& method : all) names.push_back(method.name);
  throw RequestError("there is no problem or method \"" + name + "\"" + suggestion(name, names));
}

}  // namespace

void add_describe(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>(), with = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("describe", "A page about a problem or a method");
  command
      ->add_option(
          "name", *name,
          "A problem, the path of a problem file, or a method, as lobatto or \"lobatto(stages=4)\"")
      ->required();
  command->add_option("--with", *with, "Say whether the method fits this problem");
  command->footer(
      "Examples: dalembert describe pendulum-cvt\n          dalembert describe dla --with "
      "knife-edge");
  command->callback(
      [name, with, &action] { action = [name, with] { return describe(*name, *with); }; });
}

}  // namespace dalembert::app
