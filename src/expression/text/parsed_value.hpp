#pragma once

#include <stdexcept>
#include <string_view>

#include "dalembert/expression/pieces.hpp"
#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// What is said of a condition among numbers.
inline constexpr std::string_view condition_misplaced =
    "a condition where a number is wanted; conditions stand in piecewise(value, condition, ..., "
    "otherwise)";

/// Values that do not combine, with the reason.
class ValueMismatch : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// What a part of a text stands for: a number, a vector or a condition.
struct ParsedValue {
  ParsedValue(double value) : number(value) {}
  ParsedValue(Expr value) : number(std::move(value)) {}
  ParsedValue(Constant value) : number(value) {}
  ParsedValue(Vector value) : entries(std::move(value)), is_vector(true) {}

  ParsedValue(Condition value) : condition(std::move(value)), is_condition(true) {}

  Expr number = 0.0;
  Vector entries = {};
  bool is_vector = false;
  Condition condition = {};
  bool is_condition = false;
};

// Throw ValueMismatch for a number beside a vector where both must be alike, for products of
// vectors, for divisors that are vectors, and for conditions.
ParsedValue operator-(const ParsedValue& x);
ParsedValue operator+(const ParsedValue& x, const ParsedValue& y);
ParsedValue operator-(const ParsedValue& x, const ParsedValue& y);
ParsedValue operator*(const ParsedValue& x, const ParsedValue& y);
ParsedValue operator/(const ParsedValue& x, const ParsedValue& y);

}  // namespace dalembert
