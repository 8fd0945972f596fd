#include "dalembert/problem/problem_file.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace dalembert {
namespace {

bool is_name(const std::string& text) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  return !text.empty() && letter(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [&](unsigned char c) { return letter(c) || std::isdigit(c); });
}

void require_name(const std::string& name, const Item& node) {
  if (!is_name(name)) {
    node.refuse("has the name \"" + name +
                "\"; a name is a letter followed by letters, digits and underscores");
  }
}

/// "w[1..n]" or "x".
CoordinateEntry read_coordinate(const Item& node) {
  const std::string& text = as_text(node);
  CoordinateEntry entry;
  entry.place = node.place;
  const std::size_t bracket = text.find('[');
  entry.name = text.substr(0, bracket);
  require_name(entry.name, node);
  if (bracket == std::string::npos) return entry;
  const std::string range = text.substr(bracket);
  if (!range.starts_with("[1..") || range.back() != ']' || range.size() < 6) {
    node.refuse("is \"" + text + "\"; an array of coordinates is written as \"w[1..n]\"");
  }
  entry.count = range.substr(4, range.size() - 5);
  return entry;
}

void mark_angles(std::vector<CoordinateEntry>& coordinates, const Item& angles) {
  for (const Item& node : as_list(angles)) {
    const CoordinateEntry wanted = read_coordinate(node);
    std::vector<std::string> names;
    bool found = false;
    for (CoordinateEntry& entry : coordinates) {
      names.push_back(entry.name);
      if (entry.name != wanted.name) continue;
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

Parameter read_parameter(const std::string& name, const Item& node) {
  require_name(name, node);
  Parameter parameter{name};
  if (!node.is_table()) {
    parameter.value = parse_constant(node);
    return parameter;
  }
  TableReader table(node);
  parameter.value = parse_constant(table.require("default"));
  if (const Item* min = table.find("min")) parameter.min = parse_constant(*min);
  if (const Item* max = table.find("max")) parameter.max = parse_constant(*max);
  if (const Item* exclusive = table.find("min_exclusive"))
    parameter.min_exclusive = as_boolean(*exclusive);
  if (const Item* exclusive = table.find("max_exclusive"))
    parameter.max_exclusive = as_boolean(*exclusive);
  parameter.description = table.text("description");
  table.finish();
  check_parameter(parameter, parameter.value, node);
  return parameter;
}

SizeEntry read_size(const std::string& name, const Item& node) {
  require_name(name, node);
  SizeEntry size{name};
  constexpr std::int64_t largest = 1000;
  if (!node.is_table()) {
    size.value = as_whole(node, 1, largest);
    return size;
  }
  TableReader table(node);
  if (const Item* min = table.find("min")) size.min = as_whole(*min, 0, largest);
  if (const Item* max = table.find("max")) size.max = as_whole(*max, size.min, largest);
  size.value = as_whole(table.require("default"), size.min, size.max);
  size.description = table.text("description");
  table.finish();
  return size;
}

template <class Read>
void read_entries(TableReader& table, const std::string& key, Read read) {
  const Item* node = table.find(key);
  if (node == nullptr) return;
  if (!node->is_table()) node->refuse("must be a table, not " + node->found());
  for (const auto& [name, entry] : node->table()) read(name, entry);
}

void read_lagrangian(ProblemFile& problem, const Item& node) {
  TableReader table(node);
  const auto read = [&](const char* key) {
    return table.find(key) ? std::optional(*table.find(key)) : std::nullopt;
  };
  problem.kinetic = read("kinetic");
  problem.potential = read("potential");
  problem.lagrangian = read("expression");
  table.finish();
  if (problem.lagrangian && (problem.kinetic || problem.potential)) {
    node.refuse("has an expression as well as kinetic or potential; give one or the other");
  }
  if (!problem.lagrangian && !problem.kinetic)
    node.refuse("needs kinetic (and potential), or expression");
}

void read_constraints(ProblemFile& problem, const Item& node) {
  TableReader table(node);
  if (const Item* expressions = table.find("expressions"))
    problem.constraints = as_list(*expressions);
  if (const Item* holonomic = table.find("holonomic")) problem.holonomic = as_list(*holonomic);
  table.finish();
}

void read_equations(ProblemFile& problem, TableReader& table) {
  const auto keep = [](auto& list) {
    return [&list](const std::string& name, const Item& node) { list.emplace_back(name, node); };
  };
  read_entries(table, "definitions", keep(problem.definitions));
  read_entries(table, "integrals", keep(problem.integrals));
  read_entries(table, "force", keep(problem.force));
  for (const auto* list : {&problem.definitions, &problem.integrals}) {
    for (const auto& [name, node] : *list) require_name(name, node);
  }
  if (const Item* constraints = table.find("constraints")) read_constraints(problem, *constraints);
  if (const Item* frame = table.find("frame")) {
    TableReader inner(*frame);
    problem.frame = as_list(inner.require("vectors"));
    inner.finish();
  }
  if (const Item* reversal = table.find("reversal")) {
    TableReader inner(*reversal);
    problem.reversal = inner.require("signs");
    inner.finish();
  }
}

SkewGradientEntry read_skew_gradient(ProblemFile& problem, const Item& node) {
  TableReader table(node);
  for (const Item& name : as_list(table.require("variables")))
    problem.coordinates.push_back(read_coordinate(name));
  SkewGradientEntry entry{table.require("hamiltonian"), as_list(table.require("matrix"))};
  table.finish();
  return entry;
}

void read_coordinates(ProblemFile& problem, TableReader& table) {
  if (const Item* skew = table.find("skew-gradient")) {
    problem.skew_gradient = read_skew_gradient(problem, *skew);
    for (const char* other : {"lagrangian", "constraints", "force", "frame", "coordinates"}) {
      if (const Item* node = table.find(other)) node->refuse("has no place beside [skew-gradient]");
    }
  } else {
    for (const Item& node : as_list(table.require("coordinates")))
      problem.coordinates.push_back(read_coordinate(node));
    read_lagrangian(problem, table.require("lagrangian"));
  }
  if (problem.coordinates.empty()) table.node().refuse("must name at least one coordinate");
  if (const Item* angles = table.find("angles")) mark_angles(problem.coordinates, *angles);
}

StartEntry read_named_start(const std::string& name, const Item& node, bool skew_gradient) {
  TableReader table(node);
  StartEntry start = read_start(table, name);
  table.finish();
  check_start_complete(start, table, skew_gradient);
  return start;
}

}  // namespace

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

StartEntry read_start(TableReader& table, const std::string& name) {
  StartEntry start;
  start.name = name;
  start.place = table.node().place;
  start.description = table.text("description");
  start.source = table.text("source");
  if (const Item* q = table.find("q")) start.q = as_list(*q);
  if (const Item* zeta = table.find("zeta")) {
    if (!start.q.empty())
      zeta->refuse("is another name of q, which is given too; give one of them");
    start.q = as_list(*zeta);
  }
  if (const Item* v = table.find("v")) start.v = as_list(*v);
  if (const Item* p = table.find("p")) {
    if (!start.v.empty()) p->refuse("gives momenta although v gives velocities; give one of them");
    start.p = as_list(*p);
  }
  if (const Item* lambda = table.find("lambda")) start.lambda = as_list(*lambda);
  if (const Item* project = table.find("project")) start.project = as_boolean(*project);
  read_entries(table, "parameters", [&](const std::string& key, const Item& node) {
    start.parameters.emplace(key, node);
  });
  read_entries(table, "sizes", [&](const std::string& key, const Item& node) {
    start.sizes[key] = as_whole(node, 0, std::numeric_limits<std::int32_t>::max());
  });
  return start;
}

void check_start_complete(const StartEntry& start, TableReader& table, bool skew_gradient) {
  if (start.q.empty()) table.require(skew_gradient ? "zeta" : "q");
  if (skew_gradient && (!start.v.empty() || start.p)) {
    table.node().refuse("gives velocities or momenta, but a system in skew-gradient form has none");
  }
  if (!skew_gradient && start.v.empty() && !start.p) table.require("v");
}

ProblemFile read_problem(const Item& document, const std::string& default_name) {
  TableReader table(document);
  ProblemFile problem;
  problem.document = document;
  problem.place = document.place;
  problem.name = table.text("name", default_name);
  problem.description = table.text("description");
  problem.source = table.text("source");
  problem.conserves = table.text("conserves", "");
  if (const Item* conserves = table.find("conserves")) {
    const std::vector<std::string> allowed{"energy", "moving-energy", "nothing"};
    if (std::find(allowed.begin(), allowed.end(), problem.conserves) == allowed.end()) {
      conserves->refuse("is \"" + problem.conserves + "\"" +
                        suggestion(problem.conserves, allowed));
    }
  }
  read_entries(table, "sizes", [&](const auto& name, const Item& node) {
    problem.sizes.push_back(read_size(name, node));
  });
  read_entries(table, "parameters", [&](const auto& name, const Item& node) {
    problem.parameters.push_back(read_parameter(name, node));
  });
  read_equations(problem, table);
  read_coordinates(problem, table);
  read_entries(table, "initial", [&](const auto& name, const Item& node) {
    problem.starts.push_back(read_named_start(name, node, problem.skew_gradient.has_value()));
  });
  table.finish();
  return problem;
}

ProblemFile read_problem_file(const std::filesystem::path& path) {
  return read_problem(read_document(path), path.stem().string());
}

}  // namespace dalembert
