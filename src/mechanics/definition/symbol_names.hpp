#pragma once
// Names of coordinates, parameters and what formulas are made of. Only for the sources of this
// room.

#include <string_view>

#include "dalembert/expression/graph.hpp"

namespace dalembert {

/// A letter followed by letters, digits and underscores, all of ASCII; at most 200 letters.
bool is_identifier(std::string_view name);

/// An identifier, perhaps with the indices of an array or of a matrix: "w[3]", "R_dot[1]",
/// "R[1,2]".
bool is_symbol_name(std::string_view name);

/// RequestError where a symbol, a function or a table of the graph has a name that no parser would
/// have given it: names are printed into formulas and programs.
void check_names_in(const Graph& graph);

}  // namespace dalembert
