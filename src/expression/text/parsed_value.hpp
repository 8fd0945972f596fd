#pragma once

#include <stdexcept>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// Values that do not combine, with the reason.
class ValueMismatch : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// What a part of a text stands for: a number or a vector.
struct ParsedValue {
  ParsedValue(double value) : number(value) {}
  ParsedValue(Expr value) : number(std::move(value)) {}
  ParsedValue(Constant value) : number(value) {}
  ParsedValue(Vector value) : entries(std::move(value)), is_vector(true) {}

  Expr number = 0.0;
  Vector entries = {};
  bool is_vector = false;
};

// Throw ValueMismatch for a number beside a vector where both must be alike, for products of
// vectors, and for divisors that are vectors.
ParsedValue operator-(const ParsedValue& x);
ParsedValue operator+(const ParsedValue& x, const ParsedValue& y);
ParsedValue operator-(const ParsedValue& x, const ParsedValue& y);
ParsedValue operator*(const ParsedValue& x, const ParsedValue& y);
ParsedValue operator/(const ParsedValue& x, const ParsedValue& y);

}  // namespace dalembert
