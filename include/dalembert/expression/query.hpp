#pragma once

#include <unordered_map>
#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// All nodes that `roots` need, operands before users.
std::vector<NodeId> reachable(const Graph& graph, const std::vector<NodeId>& roots);

/// Whether the expression mentions any of the symbols.
bool depends_on(const Expr& expression, const Vector& symbols);
/// Whether any of the expressions, all of one system, mentions any of the symbols.
bool any_depends_on(const Vector& expressions, const Vector& symbols);

/// For each symbol, whether the expression mentions it.
std::vector<bool> dependencies(const Expr& expression, const Vector& symbols);

/// How an expression depends on symbols taken together. `degree` is the polynomial degree, or
/// `not_polynomial`. The answer is structural: it never understates the degree, but may overstate
/// it where terms cancel.
inline constexpr int not_polynomial = 1 << 20;
int polynomial_degree(const Expr& expression, const Vector& symbols);
/// The same for every node that the expressions need.
std::unordered_map<NodeId, int> polynomial_degrees(const Vector& expressions,
                                                   const Vector& symbols);
inline bool is_linear(const Expr& expression, const Vector& symbols) {
  return polynomial_degree(expression, symbols) <= 1;
}

/// For each symbol, whether the expression is linear in it when all others are held fixed.
/// Structural, as above.
std::vector<bool> linear_in_each(const Expr& expression, const Vector& symbols);

/// Operations with pieces: a condition (min, max, piecewise), abs, sign, floor, a table.
bool has_pieces(Operation operation);
/// Expressions with such operations on numbers that depend on any of the symbols.
bool has_pieces_in(const Expr& expression, const Vector& symbols);

/// Replaces the symbols `from[i]` by the expressions `to[i]`, all at once, sharing everything
/// common.
Vector substitute(const Vector& expressions, const Vector& from, const Vector& to);
Expr substitute(const Expr& expression, const Vector& from, const Vector& to);
Matrix substitute(const Matrix& matrix, const Vector& from, const Vector& to);

/// The same expressions built in another graph, where `to[i]`, expressions of that graph or
/// constants, take the place of the symbols `from[i]`. Nodes that both graphs share stay as they
/// are. RequestError for a symbol that is neither replaced nor shared.
Vector rebuild_in(const GraphPointer& graph, const Vector& expressions, const Vector& from,
                  const Vector& to);

/// Replaces parts of any kind: wherever `parts[i]` occurs in an expression, `names[i]` takes its
/// place. `definitions[i]` receives that part itself, in which the other parts are replaced.
Vector name_parts(const Vector& expressions, const Vector& parts, const Vector& names,
                  Vector& definitions);

/// The terms of a sum, each with its sign absorbed: a + b - c gives {a, b, -c}.
Vector terms_of(const Expr& expression);

}  // namespace dalembert
