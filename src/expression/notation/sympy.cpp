#include "dalembert/expression/notation/sympy.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "notation.hpp"
#include "smooth_quotient.hpp"

namespace dalembert {
namespace {

constexpr std::array<std::string_view, 35> python_words{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

/// What scripts round an expression call their own parts, and functions of Python that they call.
constexpr std::array<std::string_view, 27> script_words{
    "Function",    "accelerations", "after",      "coadjoint", "conditions", "constraints",
    "coordinates", "diff",          "enumerate",  "equations", "forces",     "hamiltonian",
    "holonomic",   "integrals",     "lagrangian", "len",       "momenta",    "multipliers",
    "parameters",  "print",         "rate",       "rates",     "structure",  "sum",
    "sympify",     "velocities",    "zip"};

bool is_taken(std::string_view name) {
  return std::ranges::find(python_words, name) != python_words.end() ||
         std::ranges::find(script_words, name) != script_words.end() ||
         std::ranges::find(sympy_functions(), name) != sympy_functions().end();
}

const char* sympy_function_name(Operation operation) {
  switch (operation) {
    case Operation::abs:
      return "Abs";
#define DALEMBERT_ROW(name, ...) \
  case Operation::name:          \
    return #name;
      DALEMBERT_ROW(sqrt)
      DALEMBERT_ROW(sin)
      DALEMBERT_ROW(cos)
      DALEMBERT_ROW(tan)
      DALEMBERT_ROW(asin)
      DALEMBERT_ROW(acos)
      DALEMBERT_ROW(atan)
      DALEMBERT_ROW(sinh)
      DALEMBERT_ROW(cosh)
      DALEMBERT_ROW(tanh)
      DALEMBERT_ROW(exp)
      DALEMBERT_ROW(log)
      DALEMBERT_ROW(floor)
#undef DALEMBERT_ROW
    default:
      return "?";
  }
}

class SympyNotation final : public Notation {
 public:
  Written number(const std::string& decimals) const override {
    if (decimals == "inf") return {.text = "oo"};
    return {.text = decimals, .is_number = true};
  }
  Written quotient(std::int64_t over, std::int64_t under) const override {
    return {.text = "Rational(" + std::to_string(over) + ", " + std::to_string(under) + ")",
            .is_number = true};
  }
  Written pi() const override { return {.text = "pi", .is_symbol = true}; }
  Written symbol(std::string_view name) const override {
    return {.text = sympy_name(name), .is_symbol = true};
  }
  std::string enclosed(const std::string& text) const override { return "(" + text + ")"; }
  std::string negative(const std::string& text) const override { return "-" + text; }
  std::string sum(const std::vector<SignedTerm>& terms) const override {
    std::string text;
    for (const SignedTerm& term : terms)
      text += (text.empty() ? term.negative ? "-" : "" : term.negative ? " - " : " + ") + term.text;
    return text;
  }
  Written product(const std::vector<Written>& factors) const override {
    std::string text;
    for (const Written& factor : factors) text += (text.empty() ? "" : "*") + factor.text;
    return {.text = text, .binding = Binding::product};
  }
  Written fraction(const Written& over, const Written& under) const override {
    return {.text = at_least(Binding::product, over) + "/" + at_least(Binding::power, under),
            .binding = Binding::product};
  }
  Written power(const Written& base, const Written& exponent) const override {
    return {.text = at_least(Binding::atom, base) + "**" + at_least(Binding::atom, exponent),
            .binding = Binding::power};
  }
  Written function(Operation operation, const Written& argument) const override {
    if (operation == Operation::sign)
      return {.text = "Piecewise((1, " + with_sign(argument) + " >= 0), (-1, True))"};
    return {.text = std::string(sympy_function_name(operation)) + enclosed(with_sign(argument))};
  }
  Written transposed(const Written& number) const override { return number; }
  Written named_function(std::string_view name, const Written& argument) const override {
    const std::size_t end = name.find('\'');
    const std::string function = sympy_name(name.substr(0, end));
    if (end == std::string_view::npos) return {.text = function + enclosed(with_sign(argument))};
    const std::string variable = "Symbol('_x')";
    return {.text = "Subs(Derivative(" + function + "(" + variable + "), (" + variable + ", " +
                    std::to_string(name.size() - end) + ")), " + variable + ", " +
                    with_sign(argument) + ")"};
  }
  Written quotient_function(Operation operation, int order,
                            const Written& argument) const override {
    return {.text = smooth_quotient_text(operation, order, with_sign(argument))};
  }
  Written atan2(const Written& y, const Written& x) const override { return of_two("atan2", y, x); }
  Written maximum(const Written& x, const Written& y) const override { return of_two("Max", x, y); }
  Written minimum(const Written& x, const Written& y) const override { return of_two("Min", x, y); }
  std::string comparison(const Written& left, const Written& right, bool negative) const override {
    return with_sign(left) + (negative ? " < " : " >= ") + with_sign(right);
  }
  std::string both(const std::string& x, const std::string& y) const override {
    return "And(" + x + ", " + y + ")";
  }
  std::string either(const std::string& x, const std::string& y) const override {
    return "Or(" + x + ", " + y + ")";
  }
  Written pieces(const std::vector<Case>& cases) const override {
    std::string text;
    for (const Case& piece : cases) {
      text += (text.empty() ? "" : ", ") +
              enclosed(piece.value + ", " + (piece.condition.empty() ? "True" : piece.condition));
    }
    return {.text = "Piecewise(" + text + ")"};
  }
  Written solution(const std::vector<std::vector<Written>>& rows) const override {
    std::string matrix;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
      matrix += (i == 0 ? "" : ", ") + list(rows[i]);
    return {.text = "Matrix([" + matrix + "]).LUsolve(Matrix(" + list(rows.back()) + "))"};
  }
  Written entry(const Written& solution, std::size_t index) const override {
    return {.text = solution.text + "[" + std::to_string(index) + "]"};
  }

 private:
  Written of_two(const char* name, const Written& x, const Written& y) const {
    return {.text = std::string(name) + enclosed(with_sign(x) + ", " + with_sign(y))};
  }
  std::string list(const std::vector<Written>& entries) const {
    std::string text;
    for (const Written& entry : entries) text += (text.empty() ? "" : ", ") + with_sign(entry);
    return "[" + text + "]";
  }
};

}  // namespace

std::string to_sympy(const Expr& expression) { return write_formula(expression, SympyNotation()); }

std::string sympy_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool belongs = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (c != ']') result += belongs ? c : '_';
  }
  // pi becomes pi_, and pi_ becomes pi__.
  if (is_taken(std::string_view(result).substr(0, result.find_last_not_of('_') + 1))) result += '_';
  return result;
}

const std::vector<std::string>& sympy_functions() {
  static const std::vector<std::string> names{
      "Abs",       "And",      "Derivative", "Eq",     "Matrix", "Max",  "Min",  "Or",
      "Piecewise", "Rational", "Subs",       "Symbol", "acos",   "asin", "atan", "atan2",
      "cos",       "cosh",     "exp",        "floor",  "log",    "nan",  "oo",   "pi",
      "sin",       "sinh",     "sqrt",       "tan",    "tanh"};
  return names;
}

}  // namespace dalembert
