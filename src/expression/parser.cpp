#include "dalembert/expression/parser.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

namespace dalembert {
namespace {

constexpr int deepest_nesting = 200;
constexpr long longest_sum = 100000;
constexpr long largest_root_order = 10;  // of sinc_root, whose digits dwindle with the order

struct UnaryFunction {
  const char* name;
  Expr (*make)(const Expr&);
};
constexpr UnaryFunction unary_functions[] = {
#define DALEMBERT_ROW(name, ...) {#name, name},
    DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Parser {
 public:
  Parser(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}

  Expr whole_text() {
    const Expr result = expression();
    skip_space();
    if (position_ < text_.size()) fail("expected an operator or the end");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const { fail_at(position_, problem); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& problem) const {
    const std::string found =
        at < text_.size() ? "\"" + std::string(text_.substr(at, 12)) + "\"" : "the end";
    throw ParseError("in the expression \"" + shortened() + "\" at character " +
                         std::to_string(at + 1) + " (" + found + "): " + problem,
                     at);
  }
  std::string shortened() const {
    return text_.size() <= 100 ? std::string(text_) : std::string(text_.substr(0, 97)) + "...";
  }

  /// The position of the next character that is not white space.
  std::size_t here() {
    skip_space();
    return position_;
  }
  void skip_space() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])))
      ++position_;
  }
  bool accept(char c) {
    skip_space();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }

  /// The value of the text from `at` on; refused if it is a constant that is no number.
  Expr finite(std::size_t at, const Expr& value) const {
    if (value.is_constant() && !std::isfinite(value.constant().high))
      fail_at(at, "the value is not a finite number");
    return value;
  }

  Expr expression() {
    const std::size_t at = here();
    if (++depth_ > deepest_nesting)
      fail("nested more than " + std::to_string(deepest_nesting) + " levels deep");
    Expr result = term();
    for (;;) {
      if (accept('+')) {
        result = finite(at, result + term());
      } else if (accept('-')) {
        result = finite(at, result - term());
      } else {
        --depth_;
        return result;
      }
    }
  }

  Expr term() {
    const std::size_t begin = here();
    Expr result = signed_factor();
    for (;;) {
      if (accept('*')) {
        if (position_ < text_.size() && text_[position_] == '*') fail("a power is written '^'");
        result = finite(begin, result * signed_factor());
      } else if (accept('/')) {
        const std::size_t at = position_;
        const Expr divisor = signed_factor();
        if (divisor.is_constant(0.0)) fail_at(at, "division by zero");
        result = finite(begin, result / divisor);
      } else {
        return result;
      }
    }
  }

  Expr signed_factor() {
    bool negative = false;
    for (;;) {
      if (accept('-')) {
        negative = !negative;
      } else if (!accept('+')) {
        break;
      }
    }
    const Expr value = power();
    return negative ? -value : value;
  }

  Expr power() {
    const std::size_t at = here();
    const Expr base = primary();
    if (!accept('^')) return base;
    if (++depth_ > deepest_nesting)
      fail("nested more than " + std::to_string(deepest_nesting) + " levels deep");
    const Expr exponent = signed_factor();
    --depth_;
    return finite(at, pow(base, exponent));
  }

  Expr primary() {
    skip_space();
    if (accept('(')) {
      const Expr inside = expression();
      expect(')');
      return inside;
    }
    if (position_ < text_.size()) {
      const char c = text_[position_];
      if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
      if (starts_name(c)) return named();
    }
    fail("expected a number, a name or '('");
  }

  Expr number() {
    double value = 0.0;
    const char* begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range)
      fail("the number is too large or too small for a double");
    if (error != std::errc()) fail("expected a number");
    position_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view name() {
    skip_space();
    const std::size_t begin = position_;
    if (begin >= text_.size() || !starts_name(text_[begin])) fail("expected a name");
    while (position_ < text_.size() && continues_name(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
  }

  Expr named() {
    const std::size_t at = position_;
    const std::string_view word = name();
    if (accept('(')) return call(at, word);
    if (accept('[')) return element(at, word);
    if (const auto index = indices_.find(word); index != indices_.end())
      return double(index->second);
    if (const auto value = scope_.names.find(word); value != scope_.names.end())
      return value->second;
    if (const auto size = scope_.sizes.find(word); size != scope_.sizes.end())
      return double(size->second);
    if (word == "pi") return pi_constant;
    if (scope_.arrays.contains(word))
      fail("\"" + std::string(word) + "\" is an array: write an index, as in " + std::string(word) +
           "[1]");
    if (scope_.matrices.contains(word))
      fail("\"" + std::string(word) + "\" is a matrix: write two indices, as in " +
           std::string(word) + "[1,1]");
    unknown(at, word, "name", known_names());
  }

  Expr call(std::size_t at, std::string_view word) {
    if (word == "sum") return sum();
    if (word == "atan2") {
      const Expr y = expression();
      expect(',');
      const Expr x = expression();
      expect(')');
      return finite(at, atan2(y, x));
    }
    if (word == "sinc_root") return root_quotient(at);
    for (const UnaryFunction& function : unary_functions) {
      if (word != function.name) continue;
      const Expr argument = expression();
      expect(')');
      return finite(at, function.make(argument));
    }
    std::vector<std::string> candidates{"sum", "atan2", "sinc_root"};
    for (const UnaryFunction& function : unary_functions) candidates.emplace_back(function.name);
    unknown(at, word, "function", candidates);
  }

  /// sinc_root(t, order)
  Expr root_quotient(std::size_t at) {
    const Expr argument = expression();
    expect(',');
    const std::size_t order_at = here();
    const long order = whole();
    if (order < -1 || order > largest_root_order)
      fail_at(order_at,
              "the order of sinc_root is not in -1.." + std::to_string(largest_root_order));
    expect(')');
    return finite(at, sinc_root(argument, static_cast<int>(order)));
  }

  /// sum(i, first, last, term): the term is read again for every value of the index.
  Expr sum() {
    const std::string index(name());
    expect(',');
    const long first = whole();
    expect(',');
    const long last = whole();
    expect(',');
    terms_left_ -= std::max(0L, last - first);
    if (terms_left_ < 0) fail("sums of more than " + std::to_string(longest_sum) + " terms in all");
    if (scope_.names.contains(index) || indices_.contains(index))
      fail("the index \"" + index + "\" is already the name of something else");
    const std::size_t begin = position_;
    Expr result = 0.0;
    for (long i = first; i <= std::max(first, last); ++i) {
      position_ = begin;
      indices_[index] = i;
      const Expr next = expression();
      if (i <= last) result += next;
    }
    indices_.erase(index);
    expect(')');
    return result;
  }

  Expr element(std::size_t at, std::string_view word) {
    if (const auto matrix = scope_.matrices.find(word); matrix != scope_.matrices.end())
      return matrix_entry(word, matrix->second);
    const auto array = scope_.arrays.find(word);
    if (array == scope_.arrays.end()) {
      std::vector<std::string> candidates;
      for (const auto& [candidate, values] : scope_.arrays) candidates.push_back(candidate);
      for (const auto& [candidate, values] : scope_.matrices) candidates.push_back(candidate);
      unknown(at, word, "array", candidates);
    }
    const long index = whole();
    if (accept(','))
      fail("\"" + std::string(word) + "\" is an array: write one index, as in " +
           std::string(word) + "[1]");
    const auto size = static_cast<long>(array->second.size());
    if (index < 1 || index > size) {
      fail("index " + std::to_string(index) + " of " + std::string(word) + " is not in 1.." +
           std::to_string(size));
    }
    expect(']');
    return array->second[static_cast<std::size_t>(index - 1)];
  }

  /// matrix[row, column]
  Expr matrix_entry(std::string_view word, const Matrix& matrix) {
    const long row = whole();
    if (!accept(','))
      fail("\"" + std::string(word) + "\" is a matrix: write two indices, as in " +
           std::string(word) + "[1,1]");
    const long column = whole();
    const auto rows = static_cast<long>(matrix.rows()),
               columns = static_cast<long>(matrix.columns());
    if (row < 1 || row > rows || column < 1 || column > columns) {
      fail("index " + std::to_string(row) + "," + std::to_string(column) + " of " +
           std::string(word) + " is not in 1.." + std::to_string(rows) + ",1.." +
           std::to_string(columns));
    }
    expect(']');
    return matrix(static_cast<std::size_t>(row - 1), static_cast<std::size_t>(column - 1));
  }

 public:
  long whole() {
    const std::size_t at = position_;
    const Expr value = expression();
    if (!value.is_constant() || value.constant().high != std::floor(value.constant().high) ||
        std::fabs(value.constant().high) > 1e9) {
      fail_at(at, "expected a whole number");
    }
    return static_cast<long>(value.constant().high);
  }
  bool at_end() {
    skip_space();
    return position_ >= text_.size();
  }
  [[noreturn]] void fail_trailing() const { fail("expected the end"); }

 private:
  std::vector<std::string> known_names() const {
    std::vector<std::string> result{"pi"};
    for (const auto& [known, value] : scope_.names) result.push_back(known);
    for (const auto& [known, value] : scope_.sizes) result.push_back(known);
    for (const auto& [known, value] : scope_.arrays) result.push_back(known);
    for (const auto& [known, value] : scope_.matrices) result.push_back(known);
    return result;
  }

  [[noreturn]] void unknown(std::size_t at, std::string_view word, const char* kind,
                            const std::vector<std::string>& candidates) const {
    std::string message = std::string("unknown ") + kind + " \"" + std::string(word) + "\"";
    const std::string near = nearest_name(word, candidates);
    if (!near.empty()) {
      message += "; did you mean \"" + near + "\"?";
    } else if (!candidates.empty()) {
      message += "; known are";
      for (std::size_t i = 0; i < std::min<std::size_t>(candidates.size(), 20); ++i)
        message += (i == 0 ? " " : ", ") + candidates[i];
    }
    fail_at(at, message);
  }

  std::string_view text_;
  const Scope& scope_;
  std::map<std::string, long, std::less<>> indices_;
  std::size_t position_ = 0;
  int depth_ = 0;
  long terms_left_ = longest_sum;
};

}  // namespace

Expr parse(std::string_view text, const Scope& scope) { return Parser(text, scope).whole_text(); }

long parse_whole(std::string_view text, const Scope& scope) {
  Parser parser(text, scope);
  const long result = parser.whole();
  if (!parser.at_end()) parser.fail_trailing();
  return result;
}

}  // namespace dalembert
