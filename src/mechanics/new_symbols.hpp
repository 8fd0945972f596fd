#pragma once
// Lists of symbols that equations are written in for a while.

#include <string>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// `name_1`, `name_2`, ... in the graph.
inline Vector new_symbols(const GraphPointer& graph, const std::string& name, std::size_t count) {
  Vector symbols;
  for (std::size_t i = 0; i < count; ++i)
    symbols.push_back(make_symbol(graph, name + "_" + std::to_string(i + 1)));
  return symbols;
}

}  // namespace dalembert
