#pragma once
// Long formulas with names for what they have in common. Only for the sources of this room.

#include <string>
#include <utility>
#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert::study {

/// Expressions in which parts have names; each part may contain those before it.
struct NamedParts {
  std::vector<std::pair<std::string, Expr>> parts;
  Vector expressions;
};

/// The expressions of a graph, in which parts that occur more than once are called part_1, part_2,
/// ...; as they are where none of them is long.
NamedParts name_repeated_parts(const GraphPointer& graph, const Vector& expressions);

}  // namespace dalembert::study
