#include "dalembert/problem/problem_in_code.hpp"

#include <string>
#include <utility>

#include "dalembert/document/node.hpp"

namespace dalembert {
namespace {

const Place in_code{"code", 0};

DocumentNode node(auto value, const std::string& key) { return {std::move(value), in_code, key}; }

DocumentNode list(const std::vector<double>& values, const std::string& key) {
  DocumentNode::Array entries;
  for (const double value : values) entries.push_back(node(value, key));
  return node(std::move(entries), key);
}

/// The table [initial.NAME] that says the same.
DocumentNode start_table(const Start& start, bool skew_gradient) {
  const std::string key = "initial." + start.name;
  DocumentNode::Table table;
  const auto add = [&](const char* name, DocumentNode value) {
    table.push_back({name, std::move(value)});
  };
  if (!start.description.empty()) add("description", node(start.description, key + ".description"));
  add(skew_gradient ? "zeta" : "q", list(start.q, key + ".q"));
  if (!skew_gradient && !start.p) add("v", list(start.v, key + ".v"));
  if (start.p) add("p", list(*start.p, key + ".p"));
  if (start.lambda) add("lambda", list(*start.lambda, key + ".lambda"));
  if (start.project) add("project", node(true, key + ".project"));
  DocumentNode::Table parameters;
  for (const auto& [name, value] : start.parameters)
    parameters.push_back({name, node(value, key + ".parameters." + name)});
  if (!parameters.empty()) add("parameters", node(std::move(parameters), key + ".parameters"));
  return node(std::move(table), key);
}

StartEntry read_code_start(const std::string& name, const DocumentNode& entry, bool skew_gradient) {
  TableReader table(entry);
  StartEntry start = read_start(table, name);
  table.finish();
  check_start_complete(start, table, skew_gradient);
  return start;
}

}  // namespace

ProblemFile problem_in_code(const System& system, const std::vector<Start>& starts) {
  const SystemDescription& description = system.description();
  ProblemFile problem;
  problem.system = system;
  problem.name = description.name;
  problem.description = description.description;
  problem.source = description.source;
  problem.parameters = description.parameters;
  problem.place = in_code;
  for (const Coordinate& coordinate : description.coordinates)
    problem.coordinates.push_back({coordinate.name, {}, coordinate.is_angle, in_code});
  DocumentNode::Table initial;
  for (const Start& start : starts) {
    if (problem.find_start(start.name) != nullptr) {
      throw RequestError("problem \"" + problem.name + "\" has two starts named \"" + start.name +
                         "\"");
    }
    initial.push_back({start.name, start_table(start, system.is_skew_gradient())});
    problem.starts.push_back(
        read_code_start(start.name, initial.back().second, system.is_skew_gradient()));
    static_cast<void>(start_parameters(problem, problem.starts.back()));
  }
  DocumentNode::Table document{{"name", node(problem.name, "system.name")},
                               {"made_in_code", node(true, "system.made_in_code")}};
  if (!initial.empty()) document.push_back({"initial", node(std::move(initial), "system.initial")});
  problem.document = node(std::move(document), "system");
  return problem;
}

}  // namespace dalembert
