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

namespace dalembert::study {
namespace {

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
  if (const DocumentNode* lambda = table.find("lambda")) start.lambda = as_list(*lambda);
  if (const DocumentNode* project = table.find("project")) start.project = as_boolean(*project);
  for (const auto& [key, node] : table.entries("parameters")) start.parameters.emplace(key, node);
  for (const auto& [key, node] : table.entries("sizes"))
    start.sizes[key] = as_whole(node, 0, std::numeric_limits<std::int32_t>::max());
  return start;
}

void check_start_complete(const StartEntry& start, TableReader& table, bool skew_gradient) {
  if (start.q.empty()) table.require(skew_gradient ? "zeta" : "q");
  if (skew_gradient && (!start.v.empty() || start.p)) {
    table.node().refuse("gives velocities or momenta, but a system in skew-gradient form has none");
  }
  if (!skew_gradient && start.v.empty() && !start.p) table.require("v");
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

Start evaluate_start(const ProblemFile& problem, const StartEntry& start, const System& system,
                     const Sizes& sizes, const std::vector<double>& parameters) {
  Scope scope;
  scope.sizes = sizes;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    scope.names.emplace(problem.parameters[i].name, parameters[i]);
  std::string names;
  for (const Coordinate& coordinate : system.description().coordinates)
    names += (names.empty() ? "" : ", ") + coordinate.name;
  const std::string order = " (" + names + ")";
  const std::string where = " of the start" + (start.name.empty() ? "" : " \"" + start.name + "\"");
  Start result{.name = start.name,
               .q = numbers(start.q, scope, system.dof(), "q" + where, order, start.place)};
  if (start.p) {
    result.p = numbers(*start.p, scope, system.dof(), "p" + where, order, start.place);
  } else if (!system.is_skew_gradient()) {
    result.v = numbers(start.v, scope, system.dof(), "v" + where, order, start.place);
  }
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
