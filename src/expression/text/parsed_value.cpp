#include "expression/text/parsed_value.hpp"

namespace dalembert {
namespace {

void require_no_condition(const ParsedValue& x) {
  if (x.is_condition) throw ValueMismatch(std::string(condition_misplaced));
}

void require_alike(const ParsedValue& x, const ParsedValue& y) {
  require_no_condition(x);
  require_no_condition(y);
  if (x.is_vector != y.is_vector)
    throw ValueMismatch("a number and a vector can be neither added nor subtracted");
}

}  // namespace

ParsedValue operator-(const ParsedValue& x) {
  require_no_condition(x);
  if (x.is_vector) return -x.entries;
  return -x.number;
}

ParsedValue operator+(const ParsedValue& x, const ParsedValue& y) {
  require_alike(x, y);
  if (x.is_vector) return x.entries + y.entries;
  return x.number + y.number;
}

ParsedValue operator-(const ParsedValue& x, const ParsedValue& y) {
  require_alike(x, y);
  if (x.is_vector) return x.entries - y.entries;
  return x.number - y.number;
}

ParsedValue operator*(const ParsedValue& x, const ParsedValue& y) {
  require_no_condition(x);
  require_no_condition(y);
  if (x.is_vector && y.is_vector)
    throw ValueMismatch("vectors have two products; write dot(u, v) or cross(u, v)");
  if (x.is_vector) return y.number * x.entries;
  if (y.is_vector) return x.number * y.entries;
  return x.number * y.number;
}

ParsedValue operator/(const ParsedValue& x, const ParsedValue& y) {
  require_no_condition(x);
  require_no_condition(y);
  if (y.is_vector) throw ValueMismatch("nothing can be divided by a vector");
  if (!x.is_vector) return x.number / y.number;
  Vector quotients;
  for (const Expr& entry : x.entries) quotients.push_back(entry / y.number);
  return quotients;
}

}  // namespace dalembert
