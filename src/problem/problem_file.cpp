#include "dalembert/problem/problem_file.hpp"

#include <algorithm>
#include <limits>

#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/problem_in_code.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/problem/units.hpp"
#include "problem/table/table_entry.hpp"

namespace dalembert::study {
namespace {

/// The name of the group in "R in SO(3)", checked.
std::string group_name(const std::string& text, const DocumentNode& node) {
  std::string name = text;
  std::erase(name, ' ');
  try {
    if (!Group::named(name).is_flat()) return name;
  } catch (const RequestError& error) {
    node.refuse(std::string("is wrong: ") + error.what());
  }
  node.refuse("puts a number into " + name +
              "; a coordinate is written by its name alone, an angle also in the list \"angles\"");
}

/// "x", "w[1..n]" or "R in SO(3)".
CoordinateEntry read_coordinate(const DocumentNode& node) {
  std::string text = as_text(node);
  CoordinateEntry entry;
  entry.place = node.place;
  if (const std::size_t in = text.find(" in "); in != std::string::npos) {
    entry.group = group_name(text.substr(in + 4), node);
    text.erase(text.find_last_not_of(' ', in) + 1);
  }
  const std::size_t bracket = text.find('[');
  entry.name = text.substr(0, bracket);
  require_name(entry.name, node);
  if (bracket == std::string::npos) return entry;
  if (!entry.group.empty())
    node.refuse("is an array of elements of " + entry.group + "; give each a name of its own");
  const std::string range = text.substr(bracket);
  if (!range.starts_with("[1..") || range.back() != ']' || range.size() < 6) {
    node.refuse("is \"" + text + "\"; an array of coordinates is written as \"w[1..n]\"");
  }
  entry.count = range.substr(4, range.size() - 5);
  return entry;
}

void mark_angles(std::vector<CoordinateEntry>& coordinates, const DocumentNode& angles) {
  for (const DocumentNode& node : as_list(angles)) {
    const CoordinateEntry wanted = read_coordinate(node);
    if (!wanted.group.empty()) node.refuse("names an element of a group; an angle is a coordinate");
    std::vector<std::string> names;
    bool found = false;
    for (CoordinateEntry& entry : coordinates) {
      names.push_back(entry.name);
      if (entry.name != wanted.name) continue;
      if (!entry.group.empty()) {
        node.refuse("names \"" + entry.name + "\", which is an element of " + entry.group +
                    "; an angle is a coordinate");
      }
      if (!wanted.count.empty() && wanted.count != entry.count) {
        node.refuse("does not match the array of coordinates \"" + entry.name + "[1.." +
                    entry.count + "]\"");
      }
      entry.is_angle = found = true;
    }
    if (!found)
      node.refuse("names \"" + wanted.name + "\", which is not a coordinate" +
                  suggestion(wanted.name, names));
  }
}

Parameter read_parameter(const std::string& name, const DocumentNode& node) {
  require_name(name, node);
  if (name == "t" || name == "pi") {
    node.refuse(std::string("has the name of ") + (name == "t" ? "the time" : "a number") +
                " in every expression; give the parameter another");
  }
  Parameter parameter{name};
  if (!node.is_table()) {
    parameter.value = parse_constant(node);
    return parameter;
  }
  TableReader table(node);
  parameter.value = parse_constant(table.require("default"));
  if (const DocumentNode* min = table.find("min")) parameter.min = parse_constant(*min);
  if (const DocumentNode* max = table.find("max")) parameter.max = parse_constant(*max);
  if (const DocumentNode* exclusive = table.find("min_exclusive"))
    parameter.min_exclusive = as_boolean(*exclusive);
  if (const DocumentNode* exclusive = table.find("max_exclusive"))
    parameter.max_exclusive = as_boolean(*exclusive);
  parameter.description = table.text("description");
  table.finish();
  check_parameter(parameter, parameter.value, node);
  return parameter;
}

SizeEntry read_size(const std::string& name, const DocumentNode& node) {
  require_name(name, node);
  SizeEntry size{name};
  constexpr std::int64_t largest = 1000;
  if (!node.is_table()) {
    size.value = as_whole(node, 1, largest);
    return size;
  }
  TableReader table(node);
  if (const DocumentNode* min = table.find("min")) size.min = as_whole(*min, 0, largest);
  if (const DocumentNode* max = table.find("max")) size.max = as_whole(*max, size.min, largest);
  size.value = as_whole(table.require("default"), size.min, size.max);
  size.description = table.text("description");
  table.finish();
  return size;
}

void read_lagrangian(ProblemFile& problem, const DocumentNode& node) {
  TableReader table(node);
  const auto read = [&](const char* key) {
    return table.find(key) ? std::optional(*table.find(key)) : std::nullopt;
  };
  problem.kinetic = read("kinetic");
  problem.potential = read("potential");
  problem.lagrangian = read("expression");
  for (const char* other : {"friction", "damping", "dissipation", "force"}) {
    if (const DocumentNode* force = node.find(other))
      force->refuse("is no energy; forces stand in [force], as x = \"-c*x_dot\"");
  }
  table.finish();
  if (problem.lagrangian && (problem.kinetic || problem.potential)) {
    node.refuse("has an expression as well as kinetic or potential; give one or the other");
  }
  if (!problem.lagrangian && !problem.kinetic && problem.space.bodies.empty())
    node.refuse("needs kinetic (and potential), or expression");
}

/// "x_dot - y" or { name = "normal", expression = "x_dot - y" }, with a reaction where it has a
/// direction of its own.
ConstraintEntry read_constraint(const DocumentNode& node) {
  if (!node.is_table()) return {node};
  TableReader table(node);
  const DocumentNode& name = table.require("name");
  ConstraintEntry entry{table.require("expression"), as_text(name), name};
  if (const DocumentNode* reaction = table.find("reaction")) entry.reaction = *reaction;
  table.finish();
  require_name(entry.name, name);
  return entry;
}

std::vector<ConstraintEntry> read_constraint_list(const DocumentNode& node) {
  std::vector<ConstraintEntry> entries;
  if (node.is_table()) return {read_constraint(node)};
  for (const DocumentNode& entry : as_list(node)) entries.push_back(read_constraint(entry));
  return entries;
}

void read_constraints(ProblemFile& problem, const DocumentNode& node) {
  TableReader table(node);
  if (const DocumentNode* expressions = table.find("expressions"))
    problem.constraints = read_constraint_list(*expressions);
  if (const DocumentNode* holonomic = table.find("holonomic"))
    problem.holonomic = read_constraint_list(*holonomic);
  if (const DocumentNode* joint = table.find("joint")) problem.space.joints = read_joints(*joint);
  table.finish();
}

void read_equations(ProblemFile& problem, TableReader& table) {
  const auto keep = [&table](auto& list, const char* key) {
    for (const auto& [name, node] : table.entries(key)) list.emplace_back(name, node);
  };
  keep(problem.definitions, "definitions");
  keep(problem.integrals, "integrals");
  keep(problem.force, "force");
  if (const DocumentNode* dissipation = table.find("dissipation"))
    problem.force.emplace_back("dissipation", *dissipation);
  for (const auto* list : {&problem.definitions, &problem.integrals}) {
    for (const auto& [name, node] : *list) require_name(name, node);
  }
  if (const DocumentNode* constraints = table.find("constraints"))
    read_constraints(problem, *constraints);
  if (const DocumentNode* frame = table.find("frame")) {
    TableReader inner(*frame);
    problem.frame = as_list(inner.require("vectors"));
    inner.finish();
  }
  if (const DocumentNode* reversal = table.find("reversal")) {
    TableReader inner(*reversal);
    problem.reversal = inner.require("signs");
    inner.finish();
  }
}

SkewGradientEntry read_skew_gradient(ProblemFile& problem, const DocumentNode& node) {
  TableReader table(node);
  for (const DocumentNode& name : as_list(table.require("variables")))
    problem.coordinates.push_back(read_coordinate(name));
  SkewGradientEntry entry{table.require("hamiltonian"), as_list(table.require("matrix"))};
  table.finish();
  return entry;
}

ReductionEntry read_reduction(const DocumentNode& node) {
  TableReader table(node);
  ReductionEntry entry;
  for (const DocumentNode& name : as_list(table.require("symmetry")))
    entry.symmetry.push_back(as_text(name));
  if (const DocumentNode* multiplier = table.find("multiplier")) entry.multiplier = *multiplier;
  table.finish();
  return entry;
}

void read_coordinates(ProblemFile& problem, TableReader& table) {
  if (const DocumentNode* skew = table.find("skew-gradient")) {
    problem.skew_gradient = read_skew_gradient(problem, *skew);
    for (const char* other : {"lagrangian", "constraints", "force", "frame", "coordinates", "body",
                              "contact", "gravity", "vectors", "dissipation"}) {
      if (const DocumentNode* node = table.find(other))
        node->refuse("has no place beside [skew-gradient]");
    }
  } else {
    for (const DocumentNode& node : as_list(table.require("coordinates")))
      problem.coordinates.push_back(read_coordinate(node));
    for (const char* other : {"energy", "energies", "lagrange", "mechanics"}) {
      if (const DocumentNode* node = table.node().find(other))
        node->refuse(
            "is no table of a problem; kinetic and potential energy stand in [lagrangian]");
    }
    if (table.find("lagrangian") != nullptr || problem.space.bodies.empty())
      read_lagrangian(problem, table.require("lagrangian"));
  }
  if (problem.coordinates.empty()) table.node().refuse("must name at least one coordinate");
  if (const DocumentNode* angles = table.find("angles")) mark_angles(problem.coordinates, *angles);
}

StartEntry read_named_start(const std::string& name, const DocumentNode& node, bool skew_gradient) {
  TableReader table(node);
  StartEntry start = read_start(table, name);
  table.finish();
  check_start_complete(start, table, skew_gradient);
  return start;
}

}  // namespace

std::string CoordinateEntry::text() const {
  if (!group.empty()) return name + " in " + group;
  return count.empty() ? name : name + "[1.." + count + "]";
}

bool ProblemFile::is_skew_gradient() const {
  return system ? system->is_skew_gradient() : skew_gradient.has_value();
}

const StartEntry* ProblemFile::find_start(const std::string& start) const {
  const auto found = std::find_if(starts.begin(), starts.end(),
                                  [&](const StartEntry& s) { return s.name == start; });
  return found == starts.end() ? nullptr : &*found;
}

std::vector<std::string> ProblemFile::start_names() const {
  std::vector<std::string> names;
  for (const StartEntry& start : starts) names.push_back(start.name);
  return names;
}

std::vector<std::string> ProblemFile::parameter_names() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

ProblemFile read_problem(const DocumentNode& document, const std::string& default_name) {
  if (document.is_table() && document.find("serialised") != nullptr)
    return read_serialised_problem(document);
  TableReader table(document);
  ProblemFile problem;
  problem.document = document;
  problem.place = document.place;
  problem.name = table.text("name", default_name);
  problem.description = table.text("description");
  problem.source = table.text("source");
  problem.conserves = table.text("conserves", "");
  if (const DocumentNode* conserves = table.find("conserves")) {
    const std::vector<std::string> allowed{"energy", "moving-energy", "nothing"};
    if (std::find(allowed.begin(), allowed.end(), problem.conserves) == allowed.end()) {
      conserves->refuse("is \"" + problem.conserves + "\"" +
                        suggestion(problem.conserves, allowed));
    }
  }
  for (const auto& [name, node] : table.entries("tables")) {
    problem.tables.push_back(read_table_entry(name, node));
    *problem.document.find("tables")->find(name) = with_points(node, *problem.tables.back());
  }
  for (const auto& [name, node] : table.entries("sizes"))
    problem.sizes.push_back(read_size(name, node));
  for (const auto& [name, node] : table.entries("parameters"))
    problem.parameters.push_back(read_parameter(name, node));
  problem.space = read_space_entry(table);
  read_equations(problem, table);
  read_coordinates(problem, table);
  for (const auto& [name, node] : table.entries("initial")) {
    const bool is_part =
        name == "q" || name == "v" || name == "p" || name == "position" || name == "velocity";
    if (is_part && !node.is_table())
      node.refuse(
          "belongs to a start, and starts have names: write [initial.rest], or another name");
    problem.starts.push_back(read_named_start(name, node, problem.skew_gradient.has_value()));
  }
  problem.events = read_events(table.find("event"));
  if (const DocumentNode* reduction = table.find("reduction"))
    problem.reduction = read_reduction(*reduction);
  if (const DocumentNode* picture = table.find("picture")) problem.scene = read_scene(*picture);
  if (const DocumentNode* units = table.find("units")) {
    problem.units = read_units(*units);
    check_units(problem, *units);
  }
  table.finish();
  return problem;
}

ProblemFile read_problem_file(const std::filesystem::path& path) {
  ProblemFile problem = read_problem(read_document(path), path.stem().string());
  problem.files.push_back(path);
  return problem;
}

}  // namespace dalembert::study
