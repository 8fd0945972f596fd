// From a problem file as read to a system: names, expressions, expansions of arrays and of each().
#include "dalembert/problem/make_system.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "dalembert/numeric/recent_values.hpp"
#include "dalembert/problem/constraint_names.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/problem/system_scope.hpp"
#include "problem/scope/extents.hpp"
#include "problem/space/space.hpp"

namespace dalembert::study {
namespace {

SystemDescription describe(const ProblemFile& problem, const std::vector<Extent>& extents) {
  SystemDescription description{
      problem.name, {}, problem.parameters, problem.description, problem.source};
  for (const auto& [entry, count] : extents) {
    if (entry->count.empty()) {
      description.coordinates.push_back({entry->name, entry->is_angle, entry->group});
      continue;
    }
    for (std::size_t i = 1; i <= count; ++i) {
      description.coordinates.push_back({entry->name + "_" + std::to_string(i), entry->is_angle});
    }
  }
  return description;
}

/// The force on one element: an expression for a coordinate, for a group one by velocity.
Vector parse_force_on(const Configuration::Factor& factor, const DocumentNode& node,
                      const Scope& scope) {
  if (factor.group.is_flat()) return {parse_expression(node, scope)};
  Vector force = parse_expressions(as_list(node), scope);
  const std::size_t wanted = factor.group.dimension();
  if (force.size() != wanted) {
    node.refuse("has " + std::to_string(force.size()) + " entries; a force on an element of " +
                factor.group.name() + " has one for each of its " + std::to_string(wanted) +
                " velocities");
  }
  return force;
}

/// Whether an entry of the forces is the key `dissipation` of the problem, not a coordinate's
/// force.
bool is_dissipation(const std::string& name, const DocumentNode& node) {
  return name == "dissipation" && !node.key.ends_with("force.dissipation");
}

/// The force -dR/dv of Rayleigh's function R.
Vector parse_dissipation(const DocumentNode& node, const Scope& scope, const Symbols& symbols) {
  const Expr dissipation = parse_expression(node, scope);
  if (!depends_on(dissipation, symbols.v))
    node.refuse("contains no velocity; the force is minus its derivative by the velocities");
  return -gradient(dissipation, symbols.v);
}

/// Puts the entries of a coordinate or an element in their places.
void add_force(const std::string& name, const DocumentNode& node, const Scope& scope,
               const Configuration& configuration, Vector& force) {
  std::vector<std::string> names;
  for (const Configuration::Factor& factor : configuration.factors()) names.push_back(factor.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) node.refuse("is not a coordinate" + suggestion(name, names));
  const Configuration::Factor& factor =
      configuration.factors()[static_cast<std::size_t>(found - names.begin())];
  const Vector entries = parse_force_on(factor, node, scope);
  std::copy(entries.begin(), entries.end(),
            force.begin() + static_cast<std::ptrdiff_t>(factor.velocity));
}

Vector parse_force(const ProblemFile& problem, const Scope& scope,
                   const Configuration& configuration, const Symbols& symbols) {
  if (problem.force.empty()) return {};
  Vector force = zeros(configuration.dof());
  Vector friction = force;
  for (const auto& [name, node] : problem.force) {
    if (is_dissipation(name, node)) {
      friction = parse_dissipation(node, scope, symbols);
    } else {
      add_force(name, node, scope, configuration, force);
    }
  }
  return force + friction;
}

/// The reaction of a constraint, as the table [force]: entries of coordinates that are not named
/// are zero.
Vector parse_reaction(const DocumentNode& node, const Scope& scope,
                      const Configuration& configuration) {
  if (!node.is_table() || node.table().empty())
    node.refuse("is " + node.found() +
                "; it must be a table of the force by coordinate, as { x = \"1\" }");
  Vector reaction = zeros(configuration.dof());
  for (const auto& [name, entry] : node.table())
    add_force(name, entry, scope, configuration, reaction);
  return reaction;
}

/// A vector field from an expression linear in the velocities: x_dot stands for the unit vector
/// along x.
Vector field_of(const DocumentNode& node, const Expr& expression, const Symbols& symbols) {
  const Vector at_rest = substitute(Vector{expression}, symbols.v, zeros(symbols.v.size()));
  if (!is_linear(expression, symbols.v) || !at_rest.front().is_constant(0.0)) {
    node.refuse("is not linear in the velocities; x_dot stands there for the unit vector along x");
  }
  return gradient(expression, symbols.v);
}

std::vector<Vector> parse_frame(const ProblemFile& problem, const Scope& scope,
                                const Symbols& symbols) {
  std::vector<Vector> frame;
  for (const DocumentNode& node : problem.frame) {
    if (!node.is_array()) {
      for (const Expr& expression : parse_expressions({node}, scope))
        frame.push_back(field_of(node, expression, symbols));
      continue;
    }
    Vector vector = parse_expressions(node.array(), scope);
    if (vector.size() != symbols.v.size()) {
      const bool flat = symbols.q.size() == symbols.v.size();
      node.refuse("has " + std::to_string(vector.size()) +
                  " entries; a vector field has one for each of the " +
                  std::to_string(symbols.v.size()) + (flat ? " coordinates" : " velocities"));
    }
    frame.push_back(std::move(vector));
  }
  return frame;
}

std::optional<std::vector<double>> parse_reversal(const ProblemFile& problem,
                                                  const std::vector<Extent>& extents) {
  if (!problem.reversal) return std::nullopt;
  const std::vector<DocumentNode> nodes = as_list(*problem.reversal);
  if (nodes.size() != extents.size()) {
    problem.reversal->refuse("has " + std::to_string(nodes.size()) +
                             " signs; it needs one for each of the " +
                             std::to_string(extents.size()) + " entries of coordinates");
  }
  std::vector<double> signs;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double sign = as_number(nodes[i]);
    if (std::fabs(sign) != 1.0) nodes[i].refuse("is " + nodes[i].found() + "; a sign is 1 or -1");
    const CoordinateEntry& entry = *extents[i].entry;
    if (!entry.group.empty() && sign != 1.0) {
      nodes[i].refuse("is -1 for \"" + entry.name + "\"; the sign of an element of " + entry.group +
                      " is 1: it stays, and its velocity turns round");
    }
    signs.insert(signs.end(), extents[i].count, sign);
  }
  return signs;
}

SkewGradient parse_skew_gradient(const SkewGradientEntry& entry, const Scope& scope,
                                 std::size_t size) {
  SkewGradient form{parse_expression(entry.hamiltonian, scope), Matrix(size, size)};
  const auto check_size = [size](const DocumentNode& node, std::size_t found) {
    if (found != size) {
      node.refuse("has " + std::to_string(found) + " entries; the matrix has " +
                  std::to_string(size) + " rows and columns");
    }
  };
  if (entry.matrix.size() != size) check_size(entry.hamiltonian, entry.matrix.size());
  for (std::size_t i = 0; i < size; ++i) {
    const Vector row = parse_expressions(as_list(entry.matrix[i]), scope);
    check_size(entry.matrix[i], row.size());
    for (std::size_t j = 0; j < size; ++j) form.structure(i, j) = row[j];
  }
  return form;
}

/// A system in skew-gradient form has no velocities, and no bodies.
SpaceParts without_velocities(const ProblemFile& problem, Scope& scope) {
  add_definitions(problem, scope);
  return {};
}

/// Bodies and contacts come after what the problem writes itself.
void add_space(const SpaceParts& space, Mechanics& mechanics) {
  if (mechanics.lagrangian) {
    *mechanics.lagrangian += space.kinetic;
    *mechanics.lagrangian -= space.potential;
  } else {
    mechanics.kinetic += space.kinetic;
    mechanics.potential += space.potential;
  }
}

/// The place of the sign of an equation, which is none of a comparison; nothing without one.
std::optional<std::size_t> equals_sign(const std::string& text) {
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    const char before = at > 0 ? text[at - 1] : ' ',
               after = at + 1 < text.size() ? text[at + 1] : ' ';
    if (before == '=' || before == '<' || before == '>' || before == '!' || after == '=') continue;
    return at;
  }
  return std::nullopt;
}

/// An entry "left = right" as "left - (right)", also within each(i, first, last, left = right).
DocumentNode as_vanishing(DocumentNode node) {
  if (!node.is_text()) return node;
  std::string text = as_text(node);
  const std::optional<std::size_t> sign = equals_sign(text);
  if (!sign) return node;
  const std::size_t last = is_repeated(node) ? text.rfind(')') : text.size();
  if (last == std::string::npos || last < *sign) return node;
  node.value = text.substr(0, *sign) + "- (" + text.substr(*sign + 1, last - *sign - 1) + ")" +
               text.substr(last);
  return node;
}

/// Constraints as entries stand for them: what vanishes, the names of the multipliers, and
/// reactions with directions of their own.
struct ParsedConstraints {
  Vector expressions;
  std::vector<std::string> names;
  std::vector<Vector> reactions;  ///< empty entries for ideal constraints

  /// Those of contacts and joints, which are ideal.
  void append(const Vector& more, const std::vector<std::string>& more_names) {
    expressions.insert(expressions.end(), more.begin(), more.end());
    names.insert(names.end(), more_names.begin(), more_names.end());
    reactions.resize(expressions.size());
  }
};

ParsedConstraints parse_constraints(const ProblemFile& problem,
                                    const std::vector<ConstraintEntry>& entries, const Scope& scope,
                                    const Configuration& configuration) {
  ParsedConstraints result;
  for (const ConstraintEntry& entry : entries) {
    const Vector rows = parse_expressions({as_vanishing(entry.expression)}, scope);
    const bool is_family = is_repeated(entry.expression);
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= rows.size(); ++i) {
      const std::string ending = is_family ? "_" + std::to_string(i) : "";
      names.push_back(entry.name.empty() ? "" : entry.name + ending);
      if (!entry.name.empty()) check_constraint_name(problem, entry.name_node, names.back(), scope);
    }
    result.append(rows, names);
    if (!entry.reaction) continue;
    if (is_family)
      entry.reaction->refuse("has no place beside each(...); give each constraint an entry");
    result.reactions.back() = parse_reaction(*entry.reaction, scope, configuration);
  }
  return result;
}

/// The equations, and what their multipliers are called.
Mechanics parse_mechanics(const ProblemFile& problem, const Symbols& symbols,
                          const Configuration& configuration, const std::vector<Extent>& extents,
                          const Sizes& sizes, std::vector<std::string>& names) {
  Scope scope = problem_scope(problem, symbols, configuration, extents, sizes);
  const SpaceParts space = symbols.v.empty() ? without_velocities(problem, scope)
                                             : read_space(problem, configuration, symbols, scope);
  Mechanics mechanics;
  if (problem.skew_gradient) {
    mechanics.skew_gradient = parse_skew_gradient(*problem.skew_gradient, scope, symbols.q.size());
  }
  if (problem.lagrangian) mechanics.lagrangian = parse_expression(*problem.lagrangian, scope);
  if (problem.kinetic) mechanics.kinetic = parse_expression(*problem.kinetic, scope);
  if (problem.potential) mechanics.potential = parse_expression(*problem.potential, scope);
  ParsedConstraints on_velocities =
      parse_constraints(problem, problem.constraints, scope, configuration);
  ParsedConstraints on_positions =
      parse_constraints(problem, problem.holonomic, scope, configuration);
  add_space(space, mechanics);
  on_velocities.append(space.constraints, space.constraint_names);
  on_positions.append(space.holonomic, space.holonomic_names);
  mechanics.constraints = on_velocities.expressions;
  mechanics.holonomic = on_positions.expressions;
  on_velocities.append(on_positions.expressions, on_positions.names);
  names = std::move(on_velocities.names);
  if (std::ranges::all_of(names, &std::string::empty)) names.clear();
  std::ranges::move(on_positions.reactions,
                    on_velocities.reactions.end() - std::ssize(on_positions.reactions));
  if (!std::ranges::all_of(on_velocities.reactions, &Vector::empty))
    mechanics.reactions = std::move(on_velocities.reactions);
  mechanics.force = parse_force(problem, scope, configuration, symbols);
  for (const auto& [name, node] : problem.integrals)
    mechanics.integrals.emplace_back(name, parse_expression(node, scope));
  mechanics.reversal = parse_reversal(problem, extents);
  mechanics.frame = parse_frame(problem, scope, symbols);
  return mechanics;
}

/// Where a part of the equations is written; where the problem begins if it is not.
Place place_of(const ProblemFile& problem, SystemPart part) {
  const auto key = [part] {
    switch (part) {
      case SystemPart::lagrangian:
        return "lagrangian";
      case SystemPart::constraints:
        return "constraints";
      case SystemPart::force:
        return "force";
      case SystemPart::reversal:
        return "reversal";
      case SystemPart::skew_gradient:
        return "skew-gradient";
      case SystemPart::coordinates:
        break;
    }
    return "coordinates";
  };
  const DocumentNode* node = problem.document.find(problem.skew_gradient ? "skew-gradient" : key());
  return node != nullptr ? node->place : problem.place;
}

std::vector<Start> matching_starts(const ProblemFile& problem, const System& system,
                                   const Sizes& sizes) {
  std::vector<Start> starts;
  for (const StartEntry& entry : problem.starts) {
    Sizes own = sizes;
    for (const auto& [name, value] : entry.sizes) own.insert_or_assign(name, value);
    if (own != sizes) continue;
    if (entry.sizes.empty() && !problem.sizes.empty() && sizes != complete_sizes(problem)) continue;
    starts.push_back(
        evaluate_start(problem, entry, system, sizes, start_parameters(problem, entry)));
  }
  return starts;
}

/// Systems that are kept, and the nodes of the largest of them.
constexpr std::size_t most_systems = 16, most_nodes = 20'000;

/// All that a system follows from, and what limits its size. Parameters may have other values than
/// in the document, and a study may have added integrals.
std::string key_of(const ProblemFile& problem, const Sizes& sizes,
                   const std::map<std::string, double>& put_in) {
  std::string key = problem.name + '\n';
  const auto add = [&key](const std::string& name, const std::string& value) {
    key += name + ' ' + value + '\n';
  };
  for (const auto& [name, value] : sizes) add(name, std::to_string(value));
  for (const Parameter& parameter : problem.parameters)
    add(parameter.name, to_string(parameter.value));
  for (const auto& [name, value] : put_in) add(name, to_string(value));
  add(std::to_string(limits().nodes), std::to_string(limits().coordinates));
  DocumentNode::Table integrals;
  for (const auto& [name, node] : problem.integrals) integrals.push_back({name, node});
  return key + to_toml(DocumentNode{std::move(integrals)}) + to_toml(problem.document);
}

System made_system(const ProblemFile& problem, const Sizes& sizes,
                   const std::map<std::string, double>& put_in) {
  const std::vector<Extent> extents = extents_of(problem, sizes);
  try {
    SystemDescription description = describe(problem, extents);
    auto [graph, symbols] = System::make_symbols(description);
    if (problem.skew_gradient) symbols.v.clear();
    Symbols seen = symbols;
    for (const auto& [name, value] : put_in) seen.parameters.at(name) = Expr(value);
    const auto configuration = Configuration::of_coordinates(description.coordinates);
    Mechanics mechanics =
        parse_mechanics(problem, seen, configuration, extents, sizes, description.multiplier_names);
    return System::define(std::move(description), std::move(graph), std::move(symbols),
                          std::move(mechanics));
  } catch (const SystemError& error) {
    throw error.at(place_of(problem, error.part()).text());
  } catch (const RequestError& error) {
    throw error.at(place_of(problem, SystemPart::coordinates).text());
  }
}

}  // namespace

System make_system(const ProblemFile& problem, const Sizes& chosen,
                   const std::map<std::string, double>& put_in) {
  const NodeBudget budget;
  const Sizes sizes = complete_sizes(problem, chosen);
  if (problem.system) return *problem.system;
  static numeric::RecentValues<std::string, System> recent(most_systems);
  return recent.get(
      key_of(problem, sizes, put_in), [&] { return made_system(problem, sizes, put_in); },
      [](const System& system) { return system.symbols().t.graph()->size() <= most_nodes; });
}

Problem make_problem(const ProblemFile& problem, const Sizes& chosen) {
  const NodeBudget budget;
  const System system = make_system(problem, chosen);
  const Sizes sizes = complete_sizes(problem, chosen);
  return {system, matching_starts(problem, system, sizes),
          make_events(problem.events, problem, system, sizes)};
}

}  // namespace dalembert::study
