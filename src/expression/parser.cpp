#include "dalembert/expression/parser.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/text/function_names.hpp"
#include "expression/text/parsed_value.hpp"
#include "expression/text/piece_reader.hpp"

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

class Parser : PieceReader {
 public:
  Parser(std::string_view text, const Scope& scope) : PieceReader(text), scope_(scope) {}

  ParsedValue whole_text() {
    ParsedValue result = expression();
    refuse_comparison();
    if (position_ < text_.size()) fail("expected an operator or the end");
    return result;
  }
  Expr whole_number_valued() { return number_in(0, whole_text()); }
  Vector whole_vector() { return vector_in(0, whole_text()); }

 private:
  /// The value of the text from `at` on; refused if an entry is a constant that is no number.
  ParsedValue finite(std::size_t at, ParsedValue value) const {
    const auto is_finite = [](const Expr& entry) {
      return !entry.is_constant() || std::isfinite(entry.constant().high);
    };
    if (!is_finite(value.number) || !std::ranges::all_of(value.entries, is_finite))
      fail_at(at, "the value is not a finite number");
    return value;
  }
  /// What `operate` makes of values that stand from `at` on; what does not combine is refused.
  template <class Operate>
  ParsedValue combined(std::size_t at, Operate operate) const {
    try {
      return finite(at, operate());
    } catch (const ValueMismatch& mismatch) {
      fail_at(at, mismatch.what());
    }
  }
  Vector vector_in(std::size_t at, const ParsedValue& value) const {
    if (!value.is_vector) fail_at(at, "a number where a vector is wanted");
    return value.entries;
  }
  Vector vector_valued() {
    const std::size_t at = here();
    return vector_in(at, expression());
  }

  ParsedValue expression() override {
    const std::size_t at = here();
    if (++depth_ > deepest_nesting)
      fail("nested more than " + std::to_string(deepest_nesting) + " levels deep");
    ParsedValue result = term();
    for (;;) {
      if (accept('+')) {
        const ParsedValue next = term();
        result = combined(at, [&] { return result + next; });
      } else if (accept('-')) {
        const ParsedValue next = term();
        result = combined(at, [&] { return result - next; });
      } else {
        --depth_;
        return result;
      }
    }
  }

  ParsedValue term() {
    const std::size_t begin = here();
    ParsedValue result = signed_factor();
    for (;;) {
      if (accept('*')) {
        if (position_ < text_.size() && text_[position_] == '*') fail("a power is written '^'");
        const ParsedValue factor = signed_factor();
        result = combined(begin, [&] { return result * factor; });
      } else if (accept('/')) {
        const std::size_t at = position_;
        const ParsedValue divisor = signed_factor();
        if (!divisor.is_vector && !divisor.is_condition && divisor.number.is_constant(0.0))
          fail_at(at, "division by zero");
        result = combined(begin, [&] { return result / divisor; });
      } else {
        return result;
      }
    }
  }

  ParsedValue signed_factor() {
    const std::size_t at = here();
    bool negative = false;
    for (;;) {
      if (accept('-')) {
        negative = !negative;
      } else if (!accept('+')) {
        break;
      }
    }
    ParsedValue value = power();
    return negative ? combined(at, [&] { return -value; }) : value;
  }

  ParsedValue power() {
    const std::size_t at = here();
    ParsedValue base = primary();
    if (!accept('^')) return base;
    if (++depth_ > deepest_nesting)
      fail("nested more than " + std::to_string(deepest_nesting) + " levels deep");
    const std::size_t exponent_at = here();
    const Expr exponent = number_in(exponent_at, signed_factor());
    --depth_;
    return finite(at, pow(number_in(at, base), exponent));
  }

  ParsedValue primary() {
    count_node();
    skip_space();
    if (accept('(')) {
      ParsedValue inside = expression_or_condition();
      expect(')');
      return inside;
    }
    if (accept('[')) return vector_of_entries();
    if (position_ < text_.size()) {
      const char c = text_[position_];
      if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
      if (starts_name(c)) return named();
    }
    fail("expected a number, a name or '('");
  }

  /// The rest of [a, b, c].
  ParsedValue vector_of_entries() {
    Vector entries{number_valued()};
    while (accept(',')) entries.push_back(number_valued());
    if (entries.size() != 3)
      fail("a vector has 3 entries, this one has " + std::to_string(entries.size()));
    expect(']');
    return entries;
  }

  ParsedValue named() {
    const std::size_t at = position_;
    const std::string_view word = name();
    if (accept('(')) return call(at, word);
    if (accept('[')) return element(at, word);
    if (const auto index = indices_.find(word); index != indices_.end())
      return double(index->second);
    if (const auto value = scope_.names.find(word); value != scope_.names.end())
      return value->second;
    if (const auto vector = scope_.vectors.find(word); vector != scope_.vectors.end())
      return vector->second;
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

  ParsedValue call(std::size_t at, std::string_view word) {
    if (word == "sum") return sum();
    if (word == "atan2") {
      const Expr y = number_valued();
      expect(',');
      const Expr x = number_valued();
      expect(')');
      return finite(at, atan2(y, x));
    }
    if (word == "piecewise") return finite(at, piecewise(at));
    if (word == "max" || word == "min") return finite(at, extreme(at, word));
    if (word == "sinc_root") return root_quotient(at);
    for (const UnaryFunction& function : unary_functions) {
      if (word != function.name) continue;
      const Expr argument = number_valued();
      expect(')');
      return finite(at, function.make(argument));
    }
    if (const auto map = scope_.maps.find(word); map != scope_.maps.end())
      return mapped(map->second);
    if (const auto table = scope_.tables.find(word); table != scope_.tables.end()) {
      const Expr argument = number_valued();
      expect(')');
      return look_up(table->second, argument);
    }
    std::vector<std::string> candidates = function_names();
    if (std::ranges::find(candidates, word) != candidates.end()) return vector_call(at, word);
    for (const auto& [name, map] : scope_.maps) candidates.push_back(name);
    for (const auto& [name, table] : scope_.tables) candidates.push_back(name);
    unknown(at, word, "function", candidates);
  }

  /// The rest of cross(u, v), dot(u, v), norm(u), rotate(axis, angle, u).
  ParsedValue vector_call(std::size_t at, std::string_view word) {
    const Vector first = vector_valued();
    if (word == "norm") {
      expect(')');
      return finite(at, sqrt(dot(first, first)));
    }
    expect(',');
    const Expr angle = word == "rotate" ? number_valued() : Expr(0.0);
    if (word == "rotate") expect(',');
    const Vector last = vector_valued();
    expect(')');
    if (word == "dot") return finite(at, dot(first, last));
    if (word == "cross") return finite(at, cross(first, last));
    return finite(at, rotated(first, angle, last));
  }

  /// The rest of body.point(a, b, c), or of body.point(u).
  ParsedValue mapped(const AffineMap& map) {
    const std::size_t at = here();
    const ParsedValue first = expression();
    if (first.is_vector) {
      expect(')');
      return map(first.entries);
    }
    Vector entries{number_in(at, first)};
    while (accept(',')) entries.push_back(number_valued());
    if (entries.size() != 3)
      fail("a point has 3 entries, this one has " + std::to_string(entries.size()));
    expect(')');
    return map(entries);
  }

  /// sinc_root(t, order)
  ParsedValue root_quotient(std::size_t at) {
    const Expr argument = number_valued();
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
  ParsedValue sum() {
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
    ParsedValue result = 0.0;
    for (long i = first; i <= std::max(first, last); ++i) {
      position_ = begin;
      indices_[index] = i;
      const ParsedValue next = expression();
      if (i > last) continue;
      result = i == first ? next : combined(begin, [&] { return result + next; });
    }
    indices_.erase(index);
    expect(')');
    return result;
  }

  Expr element(std::size_t at, std::string_view word) {
    if (const auto matrix = scope_.matrices.find(word); matrix != scope_.matrices.end())
      return matrix_entry(word, matrix->second);
    const auto vector = scope_.vectors.find(word);
    const bool is_vector = vector != scope_.vectors.end();
    const auto array = is_vector ? vector : scope_.arrays.find(word);
    if (!is_vector && array == scope_.arrays.end()) {
      std::vector<std::string> candidates;
      for (const auto& [candidate, values] : scope_.vectors) candidates.push_back(candidate);
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
    const Expr value = number_valued();
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
    for (const auto& [known, value] : scope_.vectors) result.push_back(known);
    return result;
  }

  [[noreturn]] void unknown(std::size_t at, std::string_view word, const char* kind,
                            const std::vector<std::string>& candidates) const {
    std::string message = std::string("unknown ") + kind + " \"" + std::string(word) + "\"";
    const std::string near = nearest_name(word, candidates);
    if (word == "e") {
      message += "; the exponential function is exp(x)";
    } else if (word.ends_with("_ddot")) {
      message +=
          "; accelerations are what the equations determine: energies, forces and constraints are "
          "functions of positions and velocities";
    } else if (!near.empty()) {
      message += "; did you mean \"" + near + "\"?";
    } else if (!candidates.empty()) {
      message += "; known are";
      for (std::size_t i = 0; i < std::min<std::size_t>(candidates.size(), 20); ++i)
        message += (i == 0 ? " " : ", ") + candidates[i];
      if (candidates.size() > 20) message += ", ...";
    }
    fail_at(at, message);
  }

  const NodeBudget budget_;
  const Scope& scope_;
  std::map<std::string, long, std::less<>> indices_;
  int depth_ = 0;
  long terms_left_ = longest_sum;
};

}  // namespace

Expr parse(std::string_view text, const Scope& scope) {
  return Parser(text, scope).whole_number_valued();
}

Vector parse_vector(std::string_view text, const Scope& scope) {
  return Parser(text, scope).whole_vector();
}

long parse_whole(std::string_view text, const Scope& scope) {
  Parser parser(text, scope);
  const long result = parser.whole();
  if (!parser.at_end()) parser.fail_trailing();
  return result;
}

}  // namespace dalembert
