#include "problem_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/driver_blocks.hpp"
#include "dalembert/mechanics/rank/independent_start.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/space/space_text.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/problem/units.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/study/choice/method_advice.hpp"
#include "page_text.hpp"

namespace dalembert::app {

using namespace study;

namespace {

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

/// "x_dot - y = 0", after the name of its multiplier if it has one; an equation as it is written.
std::string constraint_text(const ConstraintEntry& entry) {
  const std::string text = text_of(entry.expression);
  const bool is_equation = text.find('=') != std::string::npos;
  return (entry.name.empty() ? "" : entry.name + ": ") + text + (is_equation ? "" : " = 0");
}

/// A constraint, and its reaction where it has a direction of its own.
std::string constraint_lines(const std::string& kind, const ConstraintEntry& item) {
  std::string lines = wrapped(kind + constraint_text(item), "  ");
  if (!item.reaction) return lines;
  for (const auto& [name, entry] : item.reaction->table())
    lines += wrapped("reaction on " + name + "  " + text_of(entry), "    ");
  return lines;
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
    lines += constraint_lines("constraint      ", item);
  for (const ConstraintEntry& item : problem.holonomic)
    lines += constraint_lines("holonomic       ", item);
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

/// What can be left out, and in which time nothing is left of the constraints.
std::string reduction_text(const ProblemFile& problem) {
  if (!problem.reduction) return "";
  std::string text = "without " + joined(problem.reduction->symmetry) + " (dalembert reduce)";
  if (problem.reduction->multiplier)
    text +=
        "; Hamiltonian in a time tau, d tau = N dt, N = " + text_of(*problem.reduction->multiplier);
  return heading("Reduction") + wrapped(text, "  ");
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
std::string kinds_text(const System& system, const Redundancy* redundancy) {
  std::string text =
      heading("Kind") +
      wrapped("Lagrangian: " + lagrangian_kind_text(system.traits().lagrangian), "  ");
  if (system.is_skew_gradient()) return text;
  const Symbols s = system.symbols();
  const Vector phi = system.constraint(s.q, s.v, s.t);
  const std::vector<std::string> names = system.multiplier_names();
  const std::vector<Vector>& reactions = system.mechanics().reactions;
  for (std::size_t i = 0; i < phi.size(); ++i) {
    const Vector at_rest = substitute(Vector{phi[i]}, s.v, zeros(system.dof()));
    const bool on_positions = i >= system.nonholonomic_count();
    const std::string number = "lambda_" + std::to_string(i + 1);
    const bool has_own = i < reactions.size() && !reactions[i].empty();
    text += fmt::format("  constraint {}{}: {}{}{}\n", i + 1,
                        names[i] == number ? "" : " (" + names[i] + ")",
                        on_positions                       ? "on positions"
                        : !is_linear(phi[i], s.v)          ? "nonlinear in the velocities"
                        : at_rest.front().is_constant(0.0) ? "linear in the velocities"
                                                           : "affine in the velocities",
                        depends_on(phi[i], {s.t}) ? ", depends on time" : "",
                        has_own ? ", with a reaction of its own direction" : "");
    if (redundancy != nullptr && redundancy->shared()[i]) {
      text.pop_back();
      text += std::ranges::binary_search(redundancy->left_out(), i)
                  ? ", shared, follows from the others\n"
                  : ", shared\n";
    }
  }
  if (redundancy != nullptr) text += wrapped(redundancy->sentence(), "  ");
  if (system.traits().forced) text += "  external forces\n";
  if (system.traits().time_dependent) text += "  depends on time\n";
  return text + drivers_text(redundancy != nullptr ? redundancy->working() : system);
}

/// What the system keeps, found out from its equations.
std::string conservation_text(const Problem& problem) {
  const Start start = problem.starts.empty() ? Start{} : problem.starts.front();
  const Conservation found = conservation(problem.system, start.q, start.v);
  std::string reasons;
  for (const std::string& reason : found.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
  using Kept = Conservation::Kept;
  const char* energy = found.energy == Kept::yes  ? "energy: kept, because "
                       : found.energy == Kept::no ? "energy: not kept, because "
                                                  : "energy: not known whether it is kept: ";
  std::string text = wrapped(energy + reasons, "  ");
  for (const Conservation::Integral& integral : found.integrals) {
    const char* answer = integral.kept == Kept::yes ? ": kept"
                         : integral.kept == Kept::no
                             ? ": NOT kept"
                             : ": kept unless a force acts elsewhere or later";
    text += wrapped(
        integral.name + answer +
            fmt::format(" (rate of change {} at {} random states of the motion)",
                        integral.kept == Kept::no ? to_string(integral.rate) : "zero to round-off",
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

std::string impact_text(const ImpactEntry& impact) {
  std::string text = "; impact, restitution " + text_of(impact.restitution);
  if (!impact.grip.empty())
    text +=
        "; grip on " + list_text(impact.grip) + ", restitution " + text_of(impact.grip_restitution);
  if (impact.rest > 0.0)
    text += "; ends the run where it leaves more slowly than " + to_string(impact.rest);
  return text;
}

std::string events_text(const ProblemFile& problem) {
  std::string text;
  for (const std::string& sentence : event_sentences(problem)) text += wrapped(sentence, "  ");
  return text.empty() ? "" : heading("Events") + text;
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

/// Methods to begin with, each with its reason.
std::string advice_text(const Problem& made) {
  std::string text;
  for (const MethodAdvice& advice : advise_methods(made))
    text += wrapped(advice.method + ": " + advice.reason, "  ");
  return text.empty()
             ? ""
             : heading("Where to begin (with --step, --method auto takes the first)") + text;
}

/// The methods that fit, with the events of the problem.
std::vector<std::string> methods_for(const Problem& made) {
  std::vector<std::string> names = fitting_methods(made.system);
  std::erase_if(names, [&made](const std::string& name) {
    return event_misfit(make_method({name}), made.system, made.events).has_value();
  });
  return names;
}

}  // namespace

std::vector<std::string> event_sentences(const ProblemFile& problem) {
  std::vector<std::string> sentences;
  for (const EventEntry& event : problem.events) {
    const char* way = event.direction == Direction::rising    ? "rising through "
                      : event.direction == Direction::falling ? "falling through "
                                                              : "";
    std::string text = event.name + ": " + text_of(event.of) + " is " + way + "zero";
    if (event.impact) text += impact_text(*event.impact);
    for (const auto& [name, value] : event.set) text += "; " + name + " becomes " + text_of(value);
    if (event.project) text += "; brought onto the constraints";
    if (event.stop_after == 1) text += "; ends the run";
    if (event.stop_after > 1)
      text += "; number " + std::to_string(event.stop_after) + " ends the run";
    sentences.push_back(std::move(text));
  }
  return sentences;
}

std::string findings_text(const ProblemFile& problem, const Problem& made) {
  Problem moving = made;
  std::shared_ptr<const Redundancy> redundancy;
  for (const Start& start : made.starts) {
    try {
      const IndependentStart found = independent_start(made.system, start);
      if (redundancy || !found.redundancy) continue;
      redundancy = found.redundancy;
      moving = {found.system, {found.start}, made.events};
    } catch (const RequestError& error) {
      throw error.at(problem.name + ": start \"" + start.name + "\"");
    }
  }
  const System& system = made.system;
  return bodies_text(problem, system) + configuration_text(system) +
         kinds_text(system, redundancy.get()) + conservation_text(moving) +
         heading("Methods that fit") + wrapped(joined(methods_for(moving)), "  ") +
         advice_text(moving);
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
  return text + equations_text(problem) + reduction_text(problem) + properties_text(problem) +
         events_text(problem) + starts_text(problem);
}

}  // namespace dalembert::app
