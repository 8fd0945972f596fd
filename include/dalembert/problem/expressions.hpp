#pragma once

#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"

namespace dalembert::study {

/// An expression at a node, which may be a number or text. RequestError with the place.
Expr parse_expression(const DocumentNode& node, const Scope& scope);
/// A vector in space, [3], from a text such as "cross(w, u)".
Vector parse_vector_expression(const DocumentNode& node, const Scope& scope);
/// The expressions that the entries of a list stand for; an entry "each(i, 1, n, term)" stands for
/// several.
Vector parse_expressions(const std::vector<DocumentNode>& nodes, const Scope& scope);
/// True if an entry of a list is "each(i, 1, n, term)".
bool is_repeated(const DocumentNode& node);
/// A whole number from an expression of sizes, as "2*n + 1". RequestError with the place.
long parse_whole_number(const DocumentNode& node, const Scope& scope);
/// A number from a constant expression such as "pi/10"; must be finite. RequestError with the
/// place.
double parse_constant(const DocumentNode& node, const Scope& scope = {});

}  // namespace dalembert::study
