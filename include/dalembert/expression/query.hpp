#pragma once

#include <vector>

#include "dalembert/expression/node_map.hpp"
#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// All nodes that `roots` need, operands before users.
std::vector<NodeId> reachable(const Graph& graph, const std::vector<NodeId>& roots);

/// True if the expression mentions any of the symbols.
bool depends_on(const Expr& expression, const Vector& symbols);
/// True if any of the expressions, all of one system, mentions any of the symbols.
bool any_depends_on(const Vector& expressions, const Vector& symbols);

/// Flags of the symbols: true where the expression mentions the symbol.
std::vector<bool> dependencies(const Expr& expression, const Vector& symbols);
/// Flags of the symbols: true where any of the expressions, all of one system, mentions the symbol.
std::vector<bool> any_dependencies(const Vector& expressions, const Vector& symbols);

/// Degree of an expression that is not a polynomial in the symbols.
inline constexpr int not_polynomial = 1 << 20;
/// Polynomial degree in the symbols taken together, or `not_polynomial`. Structural: it never
/// understates the degree, but may overstate it where terms cancel.
int polynomial_degree(const Expr& expression, const Vector& symbols);
/// Polynomial degrees of all nodes that the expressions need.
NodeMap<int> polynomial_degrees(const Vector& expressions, const Vector& symbols);
/// True if the degree is at most 1: linear with a constant term. Structural, as above.
inline bool is_linear(const Expr& expression, const Vector& symbols) {
  return polynomial_degree(expression, symbols) <= 1;
}

/// Flags of the symbols: true where the expression is linear in the symbol when all others are held
/// fixed. Structural, as above.
std::vector<bool> linear_in_each(const Expr& expression, const Vector& symbols);

/// True for operations with pieces: a condition (min, max, piecewise), abs, sign, floor, a table.
bool has_pieces(Operation operation);
/// True if the expression has such operations on numbers that depend on any of the symbols.
bool has_pieces_in(const Expr& expression, const Vector& symbols);

/// Replaces the symbols `from[i]` by the expressions `to[i]`, all at once, sharing everything
/// common. RequestError unless `from` are symbols and as many as `to`.
Vector substitute(const Vector& expressions, const Vector& from, const Vector& to);
/// One expression with the symbols `from` replaced by `to`.
Expr substitute(const Expr& expression, const Vector& from, const Vector& to);
/// A matrix with the symbols `from` replaced by `to` in all entries.
Matrix substitute(const Matrix& matrix, const Vector& from, const Vector& to);

/// Expressions built anew in another graph, where `to[i]`, expressions of that graph or constants,
/// take the place of the symbols `from[i]`. Nodes that both graphs share stay as they are.
/// RequestError for a symbol that is neither replaced nor shared.
Vector rebuild_in(const GraphPointer& graph, const Vector& expressions, const Vector& from,
                  const Vector& to);

/// Replaces parts of any kind: wherever `parts[i]` occurs in an expression, `names[i]` takes its
/// place. `definitions[i]` receives that part itself, in which the other parts are replaced.
Vector name_parts(const Vector& expressions, const Vector& parts, const Vector& names,
                  Vector& definitions);

/// The terms of a sum, each with its sign absorbed: a + b - c gives {a, b, -c}.
Vector terms_of(const Expr& expression);

}  // namespace dalembert
