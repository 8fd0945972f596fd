// From the starts of a problem file to numbers.
#include "dalembert/problem/start_entry.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "problem/scope/extents.hpp"
#include "problem/start/free_start.hpp"
#include "problem/start/named_start.hpp"

namespace dalembert::study {
namespace {

/// For sentences: " (x, y)".
std::string in_parentheses(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string text;
  for (const std::string& name : names) {
    if (&name == names.data() + most) return text + ", ..., " + names.back() + ")";
    text += (text.empty() ? " (" : ", ") + name;
  }
  return text + ")";
}

std::vector<double> numbers(const std::vector<DocumentNode>& nodes, const Scope& scope,
                            std::size_t count, const std::string& what, const std::string& names,
                            const Place& place) {
  const Vector values = parse_expressions(nodes, scope);
  if (values.size() != count) {
    const Place at = nodes.empty() ? place : nodes.front().place;
    throw RequestError(at.text() + ": " + what + " has " + std::to_string(values.size()) +
                       " entries; it needs " + std::to_string(count) + names);
  }
  std::vector<double> result;
  for (const Expr& value : values) {
    const double number = value.constant().high;
    if (!std::isfinite(number)) {
      throw RequestError(nodes.front().place.text(),
                         "entry " + std::to_string(result.size() + 1) + " of " + what + " is " +
                             to_string(number) + "; it must be a finite number");
    }
    result.push_back(number);
  }
  return result;
}

/// The tables position and velocity.
void read_by_name(TableReader& table, StartEntry& start) {
  if (const DocumentNode* position = table.find("position")) {
    if (!start.q.empty())
      position->refuse("gives positions by name although q gives them; give one of them");
    start.position = *position;
  }
  if (const DocumentNode* velocity = table.find("velocity")) {
    if (start.gives_velocity())
      velocity->refuse("gives velocities by name although v or p gives them; give one of them");
    start.velocity = *velocity;
  }
}

/// A start with all that its numbers depend on.
struct Evaluation {
  const ProblemFile& problem;
  const StartEntry& start;
  const System& system;
  const Sizes& sizes;
  const Scope& scope;
  std::string where;
};

std::vector<double> doubles(const Vector& constants) {
  std::vector<double> result;
  for (const Expr& value : constants) result.push_back(value.constant().high);
  return result;
}

Vector constants(const std::vector<double>& values) { return {values.begin(), values.end()}; }

NamedStart by_name(const Evaluation& about) {
  std::vector<std::string> free;
  if (about.start.free) free = free_names(*about.start.free);
  return {extents_of(about.problem, about.sizes), about.system.configuration(), about.scope, free};
}

/// The numbers of a list of the start, by the entries' names.
std::vector<double> listed(const Evaluation& about, const std::vector<DocumentNode>& nodes,
                           std::size_t count, const char* what, const std::string& names) {
  return numbers(nodes, about.scope, count, what + about.where, names, about.start.place);
}

std::vector<double> position_of(const Evaluation& about) {
  const StartEntry& start = about.start;
  if (start.position) return doubles(by_name(about).position(*start.position, start.project));
  return listed(about, start.q, about.system.storage_count(), "q", position_names(about.system));
}

/// v or p, at q.
void evaluate_velocity(const Evaluation& about, Start& result) {
  const StartEntry& start = about.start;
  const std::size_t count = about.system.dof();
  const std::string names = velocity_names(about.system);
  if (start.p) {
    result.p = listed(about, *start.p, count, "p", names);
  } else if (start.velocity) {
    result.v = doubles(by_name(about).velocity(*start.velocity, constants(result.q)));
  } else {
    result.v = listed(about, start.v, count, "v", names);
  }
}

/// The names of the coordinates, for expressions of velocities.
void add_position(const System& system, const std::vector<Extent>& extents,
                  const std::vector<double>& q, Scope& scope) {
  const Configuration& configuration = system.configuration();
  const Vector stored = constants(q);
  std::size_t first = 0;
  for (const Extent& extent : extents) {
    const Configuration::Factor& factor = configuration.factors()[first];
    first += extent.count;
    if (!extent.entry->count.empty()) {
      scope.arrays.emplace(extent.entry->name, slice(stored, factor.storage, extent.count));
      continue;
    }
    const Vector element = slice(stored, factor.storage, factor.group.storage_size());
    const Vector variables = factor.group.variables(element);
    const std::vector<std::string> names = factor.group.variable_names(factor.name);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].find('[') == std::string::npos) scope.names.emplace(names[i], variables[i]);
    }
    const Group::MatrixVariables entries = factor.group.matrix_variables();
    if (entries.size == 0) continue;
    Matrix matrix(entries.size, entries.size);
    matrix.entries() = slice(variables, entries.first, entries.size * entries.size);
    scope.matrices.emplace(factor.name, matrix);
  }
}

/// Those definitions that are constants by now: what contains a velocity, or a position before
/// there is one, has no value.
void add_constants(const ProblemFile& problem, Scope& scope) {
  for (const auto& [name, node] : problem.definitions) {
    if (scope.names.contains(name)) continue;
    try {
      scope.names.emplace(name, parse_expression(node, scope));
    } catch (const RequestError&) {
    }
  }
}

void check_free(const DocumentNode& names, const System& system) {
  if (system.is_skew_gradient()) names.refuse("has no place here: there are no constraints");
  check_free_names(names, system);
}

}  // namespace

StartEntry read_start(TableReader& table, const std::string& name) {
  StartEntry start;
  start.name = name;
  start.place = table.node().place;
  start.description = table.text("description");
  start.source = table.text("source");
  if (const DocumentNode* q = table.find("q")) start.q = as_list(*q);
  if (const DocumentNode* zeta = table.find("zeta")) {
    if (!start.q.empty())
      zeta->refuse("is another name of q, which is given too; give one of them");
    start.q = as_list(*zeta);
  }
  if (const DocumentNode* v = table.find("v")) start.v = as_list(*v);
  if (const DocumentNode* p = table.find("p")) {
    if (!start.v.empty()) p->refuse("gives momenta although v gives velocities; give one of them");
    start.p = as_list(*p);
  }
  read_by_name(table, start);
  if (const DocumentNode* lambda = table.find("lambda")) start.lambda = as_list(*lambda);
  if (const DocumentNode* project = table.find("project")) start.project = as_boolean(*project);
  if (const DocumentNode* free = table.find("free")) {
    static_cast<void>(free_names(*free));
    start.free = *free;
    if (start.project)
      free->refuse("has no place beside project = true, which moves everything; give one of them");
  }
  for (const auto& [key, node] : table.entries("parameters")) start.parameters.emplace(key, node);
  for (const auto& [key, node] : table.entries("sizes"))
    start.sizes[key] = as_whole(node, 0, std::numeric_limits<std::int32_t>::max());
  return start;
}

void check_start_complete(const StartEntry& start, TableReader& table, bool skew_gradient) {
  if (!start.gives_position()) table.require(skew_gradient ? "zeta" : "q");
  if (skew_gradient && start.gives_velocity()) {
    table.node().refuse("gives velocities or momenta, but a system in skew-gradient form has none");
  }
  if (!skew_gradient && !start.gives_velocity()) table.require("v");
}

StartEntry read_named_or_own_start(const ProblemFile& problem, const DocumentNode& node) {
  if (node.is_text()) {
    const StartEntry* start = problem.find_start(as_text(node));
    if (start == nullptr) {
      node.refuse("names no start of problem \"" + problem.name + "\": \"" + as_text(node) + "\"" +
                  suggestion(as_text(node), problem.start_names()));
    }
    return *start;
  }
  if (!node.is_table())
    node.refuse("must be the name of a start, or a table with q and v, not " + node.found());
  TableReader table(node);
  StartEntry start = read_start(table, "");
  table.finish();
  check_start_complete(start, table, problem.is_skew_gradient());
  return start;
}

void check_parameter(const Parameter& parameter, double value, const DocumentNode& node) {
  if (parameter.admits(value)) return;
  node.refuse("is " + to_string(value) + "; the parameter \"" + parameter.name + "\" must be " +
              parameter.range_text());
}

std::vector<double> start_parameters(const ProblemFile& problem, const StartEntry& start) {
  std::vector<double> values;
  for (const Parameter& parameter : problem.parameters) {
    const auto own = start.parameters.find(parameter.name);
    values.push_back(own == start.parameters.end() ? parameter.value : parse_constant(own->second));
    if (own != start.parameters.end()) check_parameter(parameter, values.back(), own->second);
  }
  for (const auto& [name, node] : start.parameters) {
    const std::vector<std::string> names = problem.parameter_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      node.refuse("is not a parameter of problem \"" + problem.name + "\"" +
                  suggestion(name, names));
    }
  }
  return values;
}

std::string position_names(const System& system) {
  std::vector<std::string> names;
  for (const Coordinate& number : system.configuration().storage()) names.push_back(number.name);
  return in_parentheses(names);
}

std::string velocity_names(const System& system) {
  const bool flat = !system.traits().has_groups;  // there velocities go by their coordinates
  return flat ? position_names(system) : in_parentheses(system.configuration().velocity_names());
}

Start evaluate_start(const ProblemFile& problem, const StartEntry& start, const System& system,
                     const Sizes& sizes, const std::vector<double>& parameters) {
  Scope scope;
  scope.sizes = sizes;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    scope.names.emplace(problem.parameters[i].name, parameters[i]);
  const std::string where = " of the start" + (start.name.empty() ? "" : " \"" + start.name + "\"");
  Start result{.name = start.name};
  const Evaluation about{problem, start, system, sizes, scope, where};
  if (start.free) check_free(*start.free, system);
  add_constants(problem, scope);
  result.q = position_of(about);
  if (start.free) solve_free_positions(*start.free, system, parameters, result);
  if (!system.is_skew_gradient()) {
    add_position(system, extents_of(problem, sizes), result.q, scope);
    add_constants(problem, scope);
    evaluate_velocity(about, result);
  }
  if (start.free) solve_free_velocities(*start.free, system, parameters, result);
  if (start.lambda) {
    result.lambda =
        numbers(*start.lambda, scope, system.constraint_count(), "lambda" + where, "", start.place);
  }
  result.project = start.project;
  result.description = start.description;
  for (const auto& [name, node] : start.parameters) result.parameters[name] = parse_constant(node);
  return result;
}

}  // namespace dalembert::study
