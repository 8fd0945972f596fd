// Units of what a problem contains: they are shown and written, and change no number.
#include "dalembert/problem/units.hpp"

#include <algorithm>
#include <cctype>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"

namespace dalembert::study {
namespace {

constexpr const char* nondimensional = "nondimensional";

/// The names that can have units.
std::vector<std::string> names_with_units(const ProblemFile& problem) {
  std::vector<std::string> names{"t", "energy"};
  for (const CoordinateEntry& entry : problem.coordinates)
    if (entry.group.empty()) names.push_back(entry.name);
  for (const Parameter& parameter : problem.parameters) names.push_back(parameter.name);
  for (const auto& [name, node] : problem.integrals) names.push_back(name);
  return names;
}

/// "m/s" of "m" by "s"; a quotient or product below or above the line has parentheses.
std::string quotient(const std::string& above, const std::string& below) {
  if (above.empty() || below.empty()) return "";
  if (above == nondimensional || above == "SI") return above;
  if (below == nondimensional || below == "1") return above;
  const auto in_parentheses = [](const std::string& unit, const char* signs) {
    return unit.find_first_of(signs) == std::string::npos ? unit : "(" + unit + ")";
  };
  return in_parentheses(above, "/") + "/" + in_parentheses(below, " */");
}

/// The entry that a coordinate of the system was made of.
const CoordinateEntry& entry_of(const ProblemFile& problem, const std::string& coordinate) {
  const auto is_made_of = [&](const CoordinateEntry& entry) {
    if (entry.name == coordinate) return true;
    const std::size_t size = entry.name.size();
    return !entry.count.empty() && coordinate.starts_with(entry.name + "_") &&
           std::ranges::all_of(coordinate.substr(size + 1),
                               [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  return *std::ranges::find_if(problem.coordinates, is_made_of);
}

}  // namespace

UnitsEntry read_units(const DocumentNode& node) {
  UnitsEntry units;
  if (node.is_table()) {
    for (const auto& [name, entry] : node.table()) {
      const std::string& unit = as_text(entry);
      if (unit.empty()) entry.refuse("is empty; leave the key out where the unit is unknown");
      units.by_name.emplace_back(name, unit);
    }
    return units;
  }
  const std::string how =
      R"(; it must be "SI", "nondimensional" or a table as { x = "m", t = "s" })";
  if (!node.is_text()) node.refuse("is " + node.found() + how);
  units.whole = as_text(node);
  if (units.whole != "SI" && units.whole != nondimensional)
    node.refuse("is \"" + units.whole + "\"" + how);
  return units;
}

void check_units(const ProblemFile& problem, const DocumentNode& node) {
  if (!node.is_table()) return;
  const std::vector<std::string> names = names_with_units(problem);
  for (const auto& [name, entry] : node.table()) {
    const auto coordinate = std::ranges::find(problem.coordinates, name, &CoordinateEntry::name);
    if (coordinate != problem.coordinates.end() && !coordinate->group.empty())
      entry.refuse("is for an element of " + coordinate->group +
                   ", whose numbers have no unit in common; leave it out");
    if (std::ranges::count(names, name) == 0)
      entry.refuse("is no coordinate, parameter or integral of the problem, nor t or energy" +
                   suggestion(name, names));
  }
}

std::string unit_of(const ProblemFile& problem, const std::string& name) {
  const UnitsEntry& units = problem.units;
  for (const auto& [owner, unit] : units.by_name)
    if (owner == name) return unit;
  if (units.whole != "SI") return units.whole;
  if (name == "t") return "s";
  if (name == "energy") return "J";
  const auto entry = std::ranges::find(problem.coordinates, name, &CoordinateEntry::name);
  return entry != problem.coordinates.end() && entry->is_angle ? "rad" : "SI";
}

std::vector<std::string> column_units(const ProblemFile& problem, const System& system) {
  if (!problem.units.are_known()) return {};
  const std::string time = unit_of(problem, "t"), whole = problem.units.whole;
  std::vector<std::string> units{time}, rates;
  for (const Configuration::Factor& factor : system.configuration().factors()) {
    const CoordinateEntry& entry = entry_of(problem, factor.name);
    const std::string unit = factor.group.is_flat() ? unit_of(problem, entry.name) : whole;
    units.insert(units.end(), factor.group.storage(factor.name).size(), unit);
    rates.insert(rates.end(), factor.group.dimension(), quotient(unit, time));
  }
  if (!system.is_skew_gradient()) units.insert(units.end(), rates.begin(), rates.end());
  units.insert(units.end(), system.constraint_count(), whole);
  units.push_back(unit_of(problem, "energy"));
  units.push_back(whole);
  for (const auto& [name, integral] : system.mechanics().integrals)
    units.push_back(unit_of(problem, name));
  return units;
}

}  // namespace dalembert::study
