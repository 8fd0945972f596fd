#pragma once
// What printers of expressions have in common: one walk over the graph that knows how strongly
// operations bind, and a notation that knows what they look like. Only for the notations.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// How strongly the parts of a text hold together.
enum class Binding { sum, product, power, atom };

/// A value and the condition under which it counts; no condition for what is left.
struct Case {
  std::string value, condition;
};

/// An expression in a notation.
struct Written {
  std::string text = {};  ///< of its magnitude
  Binding binding = Binding::atom;
  bool negative = false;         ///< a minus sign belongs before the text
  bool is_number = false;        ///< begins with a digit
  bool is_symbol = false;        ///< a name alone
  bool is_word = false;          ///< needs space between itself and a factor beside it
  bool is_open = false;          ///< a function whose argument has no brackets
  bool is_opaque = false;        ///< a matrix or another function that is not known
  std::string head = {};         ///< of a function: a power may stand behind its name,
  std::string tail = {};         ///< before its argument
  std::vector<Case> cases = {};  ///< of pieces
};

/// A term of a sum with its sign, without brackets where it needs none.
struct SignedTerm {
  bool negative = false;
  std::string text;
};

/// What operations look like. Every function gets parts that are written already, and puts brackets
/// only where a part binds less than is needed.
class Notation {
 public:
  Notation() = default;
  Notation(const Notation&) = delete;
  Notation& operator=(const Notation&) = delete;
  virtual ~Notation() = default;

  /// A number >= 0 from its decimal digits, "1.5e-10".
  virtual Written number(const std::string& decimals) const = 0;
  /// over/under of whole numbers.
  virtual Written quotient(std::int64_t over, std::int64_t under) const = 0;
  virtual Written pi() const = 0;
  virtual Written symbol(std::string_view name) const = 0;
  virtual std::string enclosed(const std::string& text) const = 0;
  virtual std::string negative(const std::string& text) const = 0;
  virtual std::string sum(const std::vector<SignedTerm>& terms) const = 0;
  /// Two factors or more, which bind as powers do or are enclosed already.
  virtual Written product(const std::vector<Written>& factors) const = 0;
  virtual Written fraction(const Written& over, const Written& under) const = 0;
  virtual Written power(const Written& base, const Written& exponent) const = 0;
  /// An elementary function of the table.
  virtual Written function(Operation operation, const Written& argument) const = 0;
  /// A table or an opaque function; its name ends with a prime for each derivative.
  virtual Written named_function(std::string_view name, const Written& argument) const = 0;
  virtual Written transposed(const Written& matrix) const { return power(matrix, symbol("T")); }
  /// sinc, sinhc or sinc_root.
  virtual Written quotient_function(Operation operation, int order,
                                    const Written& argument) const = 0;
  virtual Written atan2(const Written& y, const Written& x) const = 0;
  virtual Written maximum(const Written& x, const Written& y) const = 0;
  virtual Written minimum(const Written& x, const Written& y) const = 0;
  /// left >= right, or left < right.
  virtual std::string comparison(const Written& left, const Written& right,
                                 bool negative) const = 0;
  virtual std::string both(const std::string& x, const std::string& y) const = 0;
  virtual std::string either(const std::string& x, const std::string& y) const = 0;
  virtual Written pieces(const std::vector<Case>& cases) const = 0;
  /// The solution of a linear system: its rows, and the right-hand side as the last one.
  virtual Written solution(const std::vector<std::vector<Written>>& rows) const = 0;
  /// An entry of a solution, counted from 0.
  virtual Written entry(const Written& solution, std::size_t index) const = 0;

  /// The text with its sign.
  std::string with_sign(const Written& part) const;
  /// The same in brackets if it binds less than is needed.
  std::string at_least(Binding least, const Written& part) const;
};

/// The expression in a notation, with its sign.
std::string write_formula(const Expr& expression, const Notation& notation);

}  // namespace dalembert
