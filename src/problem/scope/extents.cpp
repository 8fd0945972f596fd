#include "problem/scope/extents.hpp"

#include <string>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/system_scope.hpp"

namespace dalembert::study {
namespace {

Scope scope_of(const Symbols& symbols, const Configuration& configuration,
               const std::vector<Extent>& extents, const Sizes& sizes) {
  Scope scope = motion_scope(configuration, symbols);
  scope.sizes = sizes;
  std::size_t first = 0;
  for (const auto& [entry, count] : extents) {
    const Configuration::Factor& factor = configuration.factors()[first];
    if (!entry->count.empty()) {
      scope.arrays.emplace(entry->name, slice(symbols.variables, factor.variable, count));
      if (!symbols.v.empty())
        scope.arrays.emplace(entry->name + "_dot", slice(symbols.v, factor.velocity, count));
    }
    first += count;
  }
  return scope;
}

void add_tables(const ProblemFile& problem, Scope& scope) {
  for (const TablePointer& table : problem.tables) {
    const std::string& name = table->name();
    if (scope.names.contains(name) || scope.arrays.contains(name) || scope.sizes.contains(name) ||
        scope.matrices.contains(name)) {
      problem.document.find("tables")->find(name)->refuse(
          "has the name of a coordinate, parameter or size; give it another");
    }
    scope.tables.emplace(name, table);
  }
}

}  // namespace

std::vector<Extent> extents_of(const ProblemFile& problem, const Sizes& sizes) {
  Scope scope;
  scope.sizes = sizes;
  std::vector<Extent> extents;
  std::size_t left = limits().coordinates;
  for (const CoordinateEntry& entry : problem.coordinates) {
    if (entry.count.empty()) {
      extents.push_back({&entry, 1});
      continue;
    }
    const DocumentNode node{entry.count, entry.place, "coordinates"};
    const long count = parse_whole_number(node, scope);
    if (count < 1)
      node.refuse("gives the array \"" + entry.name + "\" " + std::to_string(count) +
                  " entries; it needs one or more");
    if (static_cast<std::size_t>(count) > left)
      node.refuse("gives the array \"" + entry.name + "\" " + std::to_string(count) +
                  " entries; a problem has at most " + std::to_string(limits().coordinates) +
                  " coordinates, --most-coordinates N allows more");
    left -= static_cast<std::size_t>(count);
    extents.push_back({&entry, static_cast<std::size_t>(count)});
  }
  return extents;
}

Scope problem_scope(const ProblemFile& problem, const Symbols& symbols,
                    const Configuration& configuration, const std::vector<Extent>& extents,
                    const Sizes& sizes) {
  Scope scope = scope_of(symbols, configuration, extents, sizes);
  add_tables(problem, scope);
  return scope;
}

}  // namespace dalembert::study
