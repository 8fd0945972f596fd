#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/expression/table/table.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/expression/vectors_in_space.hpp"

namespace dalembert {

/// A text that is not an expression of the grammar. `what()` is one sentence with the position and,
/// for an unknown name, the nearest valid one.
class ParseError : public RequestError {
 public:
  ParseError(const std::string& message, std::size_t at) : RequestError(message), position(at) {}
  std::size_t position;  ///< offset of the offending character, from 0
};

/// The names that a text may use.
struct Scope {
  std::map<std::string, Expr, std::less<>> names;     ///< coordinates, velocities, parameters, t
  std::map<std::string, Vector, std::less<>> arrays;  ///< arrays, indexed from 1 in the text
  std::map<std::string, long, std::less<>>
      sizes;  ///< whole numbers, usable in indices and as values
  std::map<std::string, Matrix, std::less<>> matrices =
      {};  ///< matrices, with two indices from 1 in the text: `R[1,2]`
  std::map<std::string, Vector, std::less<>> vectors =
      {};  ///< vectors of 3 entries, as a whole or by an index from 1; names may have dots inside
  std::map<std::string, AffineMap, std::less<>> maps =
      {};  ///< maps of vectors, called with a vector or its entries: `coin.point(0, 0, h)`
  std::map<std::string, TablePointer, std::less<>> tables =
      {};  ///< tables, called with one argument: `throttle(t)`
};

/// Parses numbers, + - * / ^ (right associative, binds tighter than a sign before it), parentheses,
/// names, `array[index]`, `matrix[row, column]`, `sum(i, first, last, term)`, `pi`, atan2,
/// `sinc_root(t, order)` with an order from -1 to 10, and the elementary functions of the table:
/// sqrt sin cos tan asin acos atan sinh cosh tanh exp log abs sign floor. Of pieces are `max(a, b,
/// ...)`, `min(a, b, ...)` and `piecewise(value, condition, ..., otherwise)`, whose conditions are
/// comparisons by < <= > >=, chains such as `0 < t < 1`, `and`, `or` and `not`. Vectors are names,
/// `[a, b, c]`, sums, multiples, `cross(u, v)` and `rotate(axis, angle, u)`; of them `dot(u, v)`,
/// `norm(u)` and `u[1]` are numbers. Throws ParseError, also for a vector where a number is wanted.
Expr parse(std::string_view text, const Scope& scope);

/// The vector, [3], of a text, written as for `parse`.
Vector parse_vector(std::string_view text, const Scope& scope);

/// A whole number given by an expression of sizes: numbers, names of sizes, + - * and parentheses.
/// Throws ParseError.
long parse_whole(std::string_view text, const Scope& scope);

}  // namespace dalembert
