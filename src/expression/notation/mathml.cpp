#include "dalembert/expression/notation/mathml.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "dalembert/expression/notation/greek.hpp"
#include "notation.hpp"
#include "scientific.hpp"
#include "symbol_name.hpp"

namespace dalembert {
namespace {

// Characters that are not seen: "of" between a function and its argument, "times" between factors.
constexpr const char *apply_function = "<mo>\u2061</mo>", *invisible_times = "<mo>\u2062</mo>";

std::string element(const char* name, const std::string& content) {
  return std::string("<") + name + ">" + content + "</" + name + ">";
}

/// Text between tags.
std::string characters(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string mathml_operator(const char* text) { return element("mo", text); }
std::string mathml_row(const std::string& content) { return element("mrow", content); }

/// A word as it stands in mathematics: a letter, a Greek one, a number, or upright.
std::string mathml_word(std::string_view word) {
  const std::string_view letter = greek_letter(word);
  if (!letter.empty()) return element("mi", std::string(letter));
  const bool is_number =
      !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
  return element(is_number ? "mn" : "mi", characters(word));
}

const char* mathml_function_name(Operation operation) {
  switch (operation) {
    case Operation::asin:
      return "arcsin";
    case Operation::acos:
      return "arccos";
    case Operation::atan:
      return "arctan";
    case Operation::log:
      return "ln";
    case Operation::sign:
      return "sgn";
#define DALEMBERT_ROW(name, ...) \
  case Operation::name:          \
    return #name;
      DALEMBERT_ROW(sin)
      DALEMBERT_ROW(cos)
      DALEMBERT_ROW(tan)
      DALEMBERT_ROW(sinh)
      DALEMBERT_ROW(cosh)
      DALEMBERT_ROW(tanh)
      DALEMBERT_ROW(exp)
#undef DALEMBERT_ROW
    default:
      return "?";
  }
}

/// Every text is one element.
class MathmlNotation final : public Notation {
 public:
  Written number(const std::string& decimals) const override {
    const Scientific parts = scientific(decimals);
    const std::string mantissa =
        parts.mantissa == "inf" ? element("mi", "∞") : element("mn", parts.mantissa);
    if (parts.exponent.empty()) return {.text = mantissa, .is_number = true};
    const bool is_negative = parts.exponent.starts_with('-');
    const std::string digits = element("mn", parts.exponent.substr(is_negative ? 1 : 0));
    const std::string tens =
        element("msup", element("mn", "10") + (is_negative ? negative(digits) : digits));
    if (parts.mantissa == "1") return {.text = tens, .binding = Binding::power, .is_number = true};
    return {.text = mathml_row(mantissa + mathml_operator("⋅") + tens),
            .binding = Binding::product,
            .is_number = true};
  }
  Written quotient(std::int64_t over, std::int64_t under) const override {
    return {.text = element("mfrac", element("mn", std::to_string(over)) +
                                         element("mn", std::to_string(under))),
            .binding = Binding::product,
            .is_number = true};
  }
  Written pi() const override { return {.text = element("mi", "π"), .is_symbol = true}; }
  Written symbol(std::string_view name) const override {
    return {.text = mathml_name(name), .is_symbol = true};
  }
  std::string enclosed(const std::string& text) const override {
    return mathml_row(mathml_operator("(") + text + mathml_operator(")"));
  }
  std::string negative(const std::string& text) const override {
    return mathml_row(mathml_operator("−") + text);
  }
  std::string sum(const std::vector<SignedTerm>& terms) const override {
    std::string text;
    for (const SignedTerm& term : terms) {
      if (term.negative || !text.empty()) text += mathml_operator(term.negative ? "−" : "+");
      text += term.text;
    }
    return mathml_row(text);
  }
  Written product(const std::vector<Written>& factors) const override {
    std::string text;
    for (const Written& factor : factors) {
      if (!text.empty()) text += factor.is_number ? mathml_operator("⋅") : invisible_times;
      text += factor.text;
    }
    return {.text = mathml_row(text),
            .binding = Binding::product,
            .is_number = factors.front().is_number,
            .is_open = factors.back().is_open};
  }
  Written fraction(const Written& over, const Written& under) const override {
    return {.text = element("mfrac", with_sign(over) + with_sign(under)),
            .binding = Binding::product};
  }
  Written power(const Written& base, const Written& exponent) const override {
    if (!base.head.empty() && exponent.is_number && !exponent.negative &&
        exponent.binding == Binding::atom)
      return {.text = mathml_row(element("msup", base.head + exponent.text) + base.tail),
              .is_open = base.is_open};
    const std::string text =
        base.is_open ? enclosed(with_sign(base)) : at_least(Binding::atom, base);
    return {.text = element("msup", text + with_sign(exponent)),
            .binding = Binding::power,
            .is_number = base.is_number,
            .is_symbol = base.is_symbol};
  }
  Written function(Operation operation, const Written& argument) const override {
    const std::string text = with_sign(argument);
    switch (operation) {
      case Operation::sqrt:
        return {.text = element("msqrt", text)};
      case Operation::abs:
        return {.text = fenced("|", "|", text)};
      case Operation::floor:
        return {.text = fenced("⌊", "⌋", text)};
      default:
        return of(element("mi", mathml_function_name(operation)), argument);
    }
  }
  Written named_function(std::string_view name, const Written& argument) const override {
    return {.text = mathml_row(mathml_name(name) + apply_function + enclosed(with_sign(argument)))};
  }
  Written quotient_function(Operation operation, int order,
                            const Written& argument) const override {
    if (operation == Operation::sinc_root) {
      const Written root = function(Operation::sqrt, argument);
      return order < 0 ? of(element("mi", "cos"), root) : of(indexed("sinc", order), root);
    }
    Written bracketed = argument;
    bracketed.is_symbol = false;
    return of(indexed(operation == Operation::sinc ? "sinc" : "sinhc", order), bracketed);
  }
  Written atan2(const Written& y, const Written& x) const override { return of_two("atan2", y, x); }
  Written maximum(const Written& x, const Written& y) const override { return of_two("max", x, y); }
  Written minimum(const Written& x, const Written& y) const override { return of_two("min", x, y); }
  std::string comparison(const Written& left, const Written& right, bool negative) const override {
    return mathml_row(with_sign(left) + mathml_operator(negative ? "&lt;" : "≥") +
                      with_sign(right));
  }
  std::string both(const std::string& x, const std::string& y) const override {
    return linked(x, " and ", y);
  }
  std::string either(const std::string& x, const std::string& y) const override {
    return linked(x, " or ", y);
  }
  Written pieces(const std::vector<Case>& cases) const override {
    std::string rows;
    for (const Case& piece : cases) {
      const std::string condition = piece.condition.empty()
                                        ? element("mtext", "otherwise")
                                        : element("mtext", "if ") + piece.condition;
      rows += element("mtr", element("mtd", piece.value) + element("mtd", condition));
    }
    return {.text = mathml_row(mathml_operator("{") + element("mtable", rows)),
            .binding = Binding::sum};
  }
  Written solution(const std::vector<std::vector<Written>>& rows) const override {
    std::string matrix, column;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      std::string line;
      for (const Written& entry : rows[i]) line += element("mtd", with_sign(entry));
      matrix += element("mtr", line);
    }
    for (const Written& entry : rows.back())
      column += element("mtr", element("mtd", with_sign(entry)));
    const std::string inverse =
        element("msup", enclosed(element("mtable", matrix)) + negative(element("mn", "1")));
    return {.text = mathml_row(inverse + invisible_times + enclosed(element("mtable", column))),
            .binding = Binding::product};
  }
  Written entry(const Written& solution, std::size_t index) const override {
    return {.text = element("msub", fenced("[", "]", solution.text) +
                                        element("mn", std::to_string(index + 1)))};
  }

 private:
  static std::string fenced(const char* left, const char* right, const std::string& text) {
    return mathml_row(mathml_operator(left) + text + mathml_operator(right));
  }
  static std::string linked(const std::string& x, const char* word, const std::string& y) {
    return mathml_row(x + element("mtext", word) + y);
  }
  static std::string indexed(const char* name, int order) {
    const std::string text = element("mi", name);
    return order == 0 ? text : element("msub", text + element("mn", std::to_string(order)));
  }
  /// A function with brackets round its argument, unless that is a name.
  Written of(const std::string& name, const Written& argument) const {
    const bool is_open = argument.is_symbol && !argument.negative;
    std::string tail = apply_function + (is_open ? argument.text : enclosed(with_sign(argument)));
    return {.text = mathml_row(name + tail), .is_open = is_open, .head = name, .tail = tail};
  }
  Written of_two(const char* name, const Written& x, const Written& y) const {
    return {.text = mathml_row(element("mi", name) + apply_function +
                               enclosed(with_sign(x) + mathml_operator(",") + with_sign(y)))};
  }
};

}  // namespace

std::string to_mathml(const Expr& expression) {
  return write_formula(expression, MathmlNotation());
}

std::string mathml_name(std::string_view name) {
  const SymbolName parts = read_symbol_name(name);
  std::string text = mathml_word(parts.base), indices;
  if (parts.dots > 0) {
    text = "<mover accent=\"true\">" + text + mathml_operator(parts.dots == 1 ? "˙" : "¨") +
           "</mover>";
  }
  for (const std::string& index : parts.indices)
    indices += (indices.empty() ? "" : mathml_operator(",")) + mathml_word(index);
  if (parts.indices.size() > 1) indices = mathml_row(indices);
  if (!indices.empty()) text = element("msub", text + indices);
  if (parts.primes == 0) return text;
  std::string primes;
  for (int i = 0; i < parts.primes; ++i) primes += "′";
  return element("msup", text + mathml_operator(primes.c_str()));
}

std::string math_element(const std::string& elements, bool is_displayed) {
  return std::string("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"") +
         (is_displayed ? " display=\"block\">" : ">") + elements + "</math>";
}

}  // namespace dalembert
