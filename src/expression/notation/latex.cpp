#include "dalembert/expression/notation/latex.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dalembert/expression/notation/greek.hpp"
#include "notation.hpp"
#include "scientific.hpp"
#include "symbol_name.hpp"

namespace dalembert {
namespace {

std::string in_braces(const std::string& text) { return "{" + text + "}"; }

/// A word as it stands in mathematics: a letter, a Greek one, or upright.
std::string latex_word(std::string_view word) {
  if (!greek_letter(word).empty()) return "\\" + std::string(word);
  const bool is_number =
      !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
  if (word.size() == 1 || is_number) return std::string(word);
  return "\\mathrm" + in_braces(latex_text(word));
}

/// Names of the table that LaTeX knows by others, or not at all.
std::string latex_function_name(Operation operation) {
  switch (operation) {
    case Operation::asin:
      return "\\arcsin";
    case Operation::acos:
      return "\\arccos";
    case Operation::atan:
      return "\\arctan";
    case Operation::log:
      return "\\ln";
    case Operation::sign:
      return "\\operatorname{sgn}";
#define DALEMBERT_ROW(name, ...) \
  case Operation::name:          \
    return "\\" #name;
      DALEMBERT_ROW(sin)
      DALEMBERT_ROW(cos)
      DALEMBERT_ROW(tan)
      DALEMBERT_ROW(sinh)
      DALEMBERT_ROW(cosh)
      DALEMBERT_ROW(tanh)
      DALEMBERT_ROW(exp)
#undef DALEMBERT_ROW
    default:
      return "\\operatorname{?}";
  }
}

class LatexNotation final : public Notation {
 public:
  Written number(const std::string& decimals) const override {
    const Scientific parts = scientific(decimals);
    const std::string mantissa = parts.mantissa == "inf"   ? "\\infty"
                                 : parts.mantissa == "nan" ? "\\mathrm{nan}"
                                                           : parts.mantissa;
    if (parts.exponent.empty()) return {.text = mantissa, .is_number = true};
    const std::string tens = "10^" + in_braces(parts.exponent);
    if (mantissa == "1") return {.text = tens, .binding = Binding::power, .is_number = true};
    return {.text = mantissa + " \\cdot " + tens, .binding = Binding::product, .is_number = true};
  }
  Written quotient(std::int64_t over, std::int64_t under) const override {
    return {.text = frac(std::to_string(over), std::to_string(under)),
            .binding = Binding::product,
            .is_number = true};
  }
  Written pi() const override { return {.text = "\\pi", .is_symbol = true}; }
  Written symbol(std::string_view name) const override {
    std::string text = latex_name(name);
    const bool is_word = text.find("\\mathrm") != std::string::npos;
    return {.text = std::move(text), .is_symbol = true, .is_word = is_word};
  }
  std::string enclosed(const std::string& text) const override {
    return is_tall(text) ? "\\left(" + text + "\\right)" : "(" + text + ")";
  }
  std::string negative(const std::string& text) const override { return "-" + text; }
  std::string sum(const std::vector<SignedTerm>& terms) const override {
    std::string text;
    for (const SignedTerm& term : terms)
      text += (text.empty() ? term.negative ? "-" : "" : term.negative ? " - " : " + ") + term.text;
    return text;
  }
  Written product(const std::vector<Written>& factors) const override {
    Written result{.binding = Binding::product,
                   .is_number = factors.front().is_number,
                   .is_open = factors.back().is_open};
    const Written* before = nullptr;
    for (const Written& factor : factors) {
      if (before != nullptr) result.text += space_between(*before, factor);
      result.text += factor.text;
      before = &factor;
    }
    return result;
  }
  Written fraction(const Written& over, const Written& under) const override {
    return {.text = frac(with_sign(over), with_sign(under)), .binding = Binding::product};
  }
  Written power(const Written& base, const Written& exponent) const override {
    const std::string raised = "^" + in_braces(with_sign(exponent));
    if (!base.head.empty() && exponent.is_number && !exponent.negative &&
        exponent.binding == Binding::atom)
      return {.text = base.head + raised + base.tail, .is_open = base.is_open};
    const std::string text =
        base.is_open ? enclosed(with_sign(base)) : at_least(Binding::atom, base);
    return {.text = text + raised,
            .binding = Binding::power,
            .is_number = base.is_number,
            .is_symbol = base.is_symbol,
            .is_word = base.is_word};
  }
  Written function(Operation operation, const Written& argument) const override {
    const std::string text = with_sign(argument);
    switch (operation) {
      case Operation::sqrt:
        return {.text = "\\sqrt" + in_braces(text)};
      case Operation::abs:
        return {.text = fenced("|", "|", text)};
      case Operation::floor:
        return {.text = fenced("\\lfloor ", "\\rfloor", text)};
      default:
        return of(latex_function_name(operation), argument);
    }
  }
  Written named_function(std::string_view name, const Written& argument) const override {
    const Written function = symbol(name);
    return {.text = function.text + enclosed(with_sign(argument)), .is_word = function.is_word};
  }
  Written quotient_function(Operation operation, int order,
                            const Written& argument) const override {
    const std::string index = order == 0 ? "" : "_" + in_braces(std::to_string(order));
    if (operation != Operation::sinc_root)
      return of(
          (operation == Operation::sinc ? "\\operatorname{sinc}" : "\\operatorname{sinhc}") + index,
          argument, true);
    const Written root = function(Operation::sqrt, argument);
    if (order < 0) return of("\\cos", root);
    return of("\\operatorname{sinc}" + index, root, true);
  }
  Written atan2(const Written& y, const Written& x) const override {
    return of_two("\\operatorname{atan2}", y, x);
  }
  Written maximum(const Written& x, const Written& y) const override {
    return of_two("\\max", x, y);
  }
  Written minimum(const Written& x, const Written& y) const override {
    return of_two("\\min", x, y);
  }
  std::string comparison(const Written& left, const Written& right, bool negative) const override {
    return with_sign(left) + (negative ? " < " : " \\ge ") + with_sign(right);
  }
  std::string both(const std::string& x, const std::string& y) const override {
    return x + " \\text{ and } " + y;
  }
  std::string either(const std::string& x, const std::string& y) const override {
    return x + " \\text{ or } " + y;
  }
  Written pieces(const std::vector<Case>& cases) const override {
    std::string text = "\\begin{cases} ";
    for (const Case& piece : cases) {
      text += piece.value + " & " +
              (piece.condition.empty() ? "\\text{otherwise}"
                                       : "\\text{if } " + piece.condition + " \\\\ ");
    }
    return {.text = text + " \\end{cases}", .binding = Binding::sum};
  }
  Written solution(const std::vector<std::vector<Written>>& rows) const override {
    std::string matrix, column;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      std::string line;
      for (const Written& entry : rows[i]) line += (line.empty() ? "" : " & ") + with_sign(entry);
      matrix += (i == 0 ? "" : " \\\\ ") + line;
    }
    for (const Written& entry : rows.back())
      column += (column.empty() ? "" : " \\\\ ") + with_sign(entry);
    return {.text = pmatrix(matrix) + "^{-1} " + pmatrix(column), .binding = Binding::product};
  }
  Written entry(const Written& solution, std::size_t index) const override {
    return {.text = "\\left[" + solution.text + "\\right]_" + in_braces(std::to_string(index + 1))};
  }

 private:
  static bool is_tall(const std::string& text) {
    return text.find("\\frac") != std::string::npos || text.find("\\begin") != std::string::npos;
  }
  static std::string frac(const std::string& over, const std::string& under) {
    return "\\frac" + in_braces(over) + in_braces(under);
  }
  static std::string pmatrix(const std::string& entries) {
    return "\\begin{pmatrix} " + entries + " \\end{pmatrix}";
  }
  static std::string fenced(const std::string& left, const std::string& right,
                            const std::string& text) {
    return "\\left" + left + text + "\\right" + right;
  }
  static std::string space_between(const Written& left, const Written& right) {
    if (right.is_number) return " \\cdot ";
    return left.is_word || right.is_word ? " \\, " : " ";
  }
  /// A function with brackets round its argument, unless that is a name.
  Written of(const std::string& name, const Written& argument, bool always_enclosed = false) const {
    const bool is_open = argument.is_symbol && !argument.negative && !always_enclosed;
    const std::string tail = is_open ? " " + argument.text : enclosed(with_sign(argument));
    return {.text = name + tail, .is_open = is_open, .head = name, .tail = tail};
  }
  Written of_two(const std::string& name, const Written& x, const Written& y) const {
    return {.text = name + enclosed(with_sign(x) + ", " + with_sign(y))};
  }
};

}  // namespace

std::string to_latex(const Expr& expression) { return write_formula(expression, LatexNotation()); }

std::string latex_name(std::string_view name) {
  const SymbolName parts = read_symbol_name(name);
  std::string text = latex_word(parts.base), indices;
  if (parts.dots > 0) text = (parts.dots == 1 ? "\\dot" : "\\ddot") + in_braces(text);
  for (const std::string& index : parts.indices)
    indices += (indices.empty() ? "" : ",") + latex_word(index);
  if (!indices.empty()) text += "_" + in_braces(indices);
  return text + std::string(static_cast<std::size_t>(parts.primes), '\'');
}

std::string latex_text(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 13> special{{{'\\', "\\textbackslash{}"},
                                                                       {'{', "\\{"},
                                                                       {'}', "\\}"},
                                                                       {'$', "\\$"},
                                                                       {'&', "\\&"},
                                                                       {'#', "\\#"},
                                                                       {'%', "\\%"},
                                                                       {'_', "\\_"},
                                                                       {'^', "\\textasciicircum{}"},
                                                                       {'~', "\\textasciitilde{}"},
                                                                       {'<', "\\textless{}"},
                                                                       {'>', "\\textgreater{}"},
                                                                       {'|', "\\textbar{}"}}};
  std::string result;
  for (const char c : text) {
    const auto* const found =
        std::ranges::find(special, c, &std::pair<char, std::string_view>::first);
    found == special.end() ? result += c : result += found->second;
  }
  return result;
}

}  // namespace dalembert
