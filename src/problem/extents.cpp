#include "problem/extents.hpp"

#include <string>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {

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

}  // namespace dalembert::study
