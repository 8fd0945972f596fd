#include "dalembert/problem/problem_in_code.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "dalembert/document/node.hpp"
#include "dalembert/mechanics/serialise_system.hpp"

namespace dalembert::study {
namespace {

const Place code_place{"code", 0};

DocumentNode code_node(auto value, const std::string& key) {
  return {std::move(value), code_place, key};
}

DocumentNode code_list(const std::vector<double>& values, const std::string& key) {
  DocumentNode::Array entries;
  for (const double value : values) entries.push_back(code_node(value, key));
  return code_node(std::move(entries), key);
}

/// The table [initial.NAME] that says the same.
DocumentNode start_table(const Start& start, bool skew_gradient) {
  const std::string key = "initial." + start.name;
  DocumentNode::Table table;
  const auto add = [&](const char* name, DocumentNode value) {
    table.push_back({name, std::move(value)});
  };
  if (!start.description.empty())
    add("description", code_node(start.description, key + ".description"));
  add(skew_gradient ? "zeta" : "q", code_list(start.q, key + ".q"));
  if (!skew_gradient && !start.p) add("v", code_list(start.v, key + ".v"));
  if (start.p) add("p", code_list(*start.p, key + ".p"));
  if (start.lambda) add("lambda", code_list(*start.lambda, key + ".lambda"));
  if (start.project) add("project", code_node(true, key + ".project"));
  DocumentNode::Table parameters;
  for (const auto& [name, value] : start.parameters)
    parameters.push_back({name, code_node(value, key + ".parameters." + name)});
  if (!parameters.empty()) add("parameters", code_node(std::move(parameters), key + ".parameters"));
  return code_node(std::move(table), key);
}

/// The problem of a system, with the starts of the document.
ProblemFile assembled(const System& system, const DocumentNode& document) {
  const SystemDescription& description = system.description();
  ProblemFile problem;
  problem.system = system;
  problem.name = description.name;
  problem.description = description.description;
  problem.source = description.source;
  problem.parameters = description.parameters;
  problem.document = document;
  problem.place = document.place;
  for (const Coordinate& coordinate : description.coordinates)
    problem.coordinates.push_back(
        {coordinate.name, {}, coordinate.is_angle, document.place, coordinate.group});
  TableReader table(document);
  for (const char* key : {"name", "serialised"}) table.require(key);
  for (const auto& [name, entry] : table.entries("initial")) {
    TableReader start(entry);
    problem.starts.push_back(read_start(start, name));
    start.finish();
    check_start_complete(problem.starts.back(), start, system.is_skew_gradient());
    static_cast<void>(start_parameters(problem, problem.starts.back()));
  }
  table.finish();
  return problem;
}

}  // namespace

ProblemFile problem_in_code(const System& system, const std::vector<Start>& starts) {
  DocumentNode::Table initial;
  for (const Start& start : starts) {
    const bool is_taken = std::ranges::count(initial, start.name, &TableEntry::first) > 0;
    if (is_taken) {
      throw RequestError("problem \"" + system.name() + "\" has two starts named \"" + start.name +
                         "\"");
    }
    initial.push_back({start.name, start_table(start, system.is_skew_gradient())});
  }
  DocumentNode::Table document{{"name", code_node(system.name(), "system.name")},
                               {"serialised", code_node(serialise(system), "system.serialised")}};
  if (!initial.empty())
    document.push_back({"initial", code_node(std::move(initial), "system.initial")});
  return assembled(system, code_node(std::move(document), "system"));
}

ProblemFile read_serialised_problem(const DocumentNode& document) {
  TableReader table(document);
  const DocumentNode& text = table.require("serialised");
  try {
    return assembled(deserialise_system(as_text(text)), document);
  } catch (const RequestError& error) {
    throw error.at(text.place.text());
  }
}

}  // namespace dalembert::study
