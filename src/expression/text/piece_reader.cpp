#include "expression/text/piece_reader.hpp"

#include <string>
#include <utility>
#include <vector>

namespace dalembert {
namespace {

constexpr std::size_t most_pieces = 1000;

}  // namespace

Expr PieceReader::number_in(std::size_t at, const ParsedValue& value) const {
  if (value.is_vector)
    fail_at(at, "a vector where a number is wanted; write dot(u, v), norm(u) or an entry, u[1]");
  if (value.is_condition) fail_at(at, std::string(condition_misplaced));
  return value.number;
}

Expr PieceReader::number_valued() {
  const std::size_t at = here();
  const ParsedValue value = expression();
  refuse_comparison();
  return number_in(at, value);
}

void PieceReader::refuse_comparison() {
  if (at_comparison()) fail(std::string(condition_misplaced));
}

bool PieceReader::accept_word(std::string_view word) {
  skip_space();
  const std::string_view rest = text_.substr(position_);
  if (!rest.starts_with(word)) return false;
  if (rest.size() > word.size() && continues_name(rest[word.size()])) return false;
  position_ += word.size();
  return true;
}

bool PieceReader::at_comparison() {
  skip_space();
  return position_ < text_.size() && (text_[position_] == '<' || text_[position_] == '>');
}

Condition PieceReader::condition_in(std::size_t at, const ParsedValue& value) const {
  if (!value.is_condition) fail_at(at, "expected a condition, such as t < 1");
  return value.condition;
}

/// The rest of `left < right`; the right side stays in `right_`.
Condition PieceReader::relation(const Expr& left) {
  const bool is_less = accept('<');
  if (!is_less) expect('>');
  const bool or_equal = position_ < text_.size() && text_[position_] == '=';
  if (or_equal) ++position_;
  const std::size_t at = here();
  right_ = number_in(at, expression());
  const bool reversed = is_less == or_equal;  // <= and > ask for the sign of right - left
  return {reversed ? right_ - left : left - right_, !or_equal};
}

ParsedValue PieceReader::comparison() {
  bool negated = false;
  while (accept_word("not")) negated = !negated;
  const std::size_t at = here();
  ParsedValue result = expression();
  if (at_comparison()) {
    Condition condition = relation(number_in(at, result));
    while (at_comparison()) {
      const Condition next = relation(Expr(right_));
      condition = both_of(condition, next);
    }
    result = condition;
  }
  skip_space();
  const std::string_view rest = text_.substr(position_);
  if (rest.starts_with('=') || rest.starts_with("!="))
    fail("numbers are compared by <, <=, > and >=");
  if (negated) result = !condition_in(at, result);
  return result;
}

ParsedValue PieceReader::conjunction() {
  const std::size_t at = here();
  ParsedValue result = comparison();
  while (accept_word("and")) {
    const std::size_t next_at = here();
    const ParsedValue next = comparison();
    result = both_of(condition_in(at, result), condition_in(next_at, next));
  }
  return result;
}

ParsedValue PieceReader::expression_or_condition() {
  const std::size_t at = here();
  ParsedValue result = conjunction();
  while (accept_word("or")) {
    const std::size_t next_at = here();
    const ParsedValue next = conjunction();
    result = one_of(condition_in(at, result), condition_in(next_at, next));
  }
  return result;
}

Expr PieceReader::piecewise(std::size_t at) {
  std::vector<std::pair<Expr, Condition>> pieces;
  Expr result = number_valued();
  while (!accept(')')) {
    if (pieces.size() == most_pieces) fail("more than " + std::to_string(most_pieces) + " pieces");
    expect(',');
    const std::size_t condition_at = here();
    pieces.emplace_back(result, condition_in(condition_at, expression_or_condition()));
    if (accept(')'))
      fail_at(at,
              "the value where no condition holds is missing: piecewise(value, condition, ..., "
              "otherwise)");
    expect(',');
    result = number_valued();
  }
  if (pieces.empty()) fail_at(at, "expected piecewise(value, condition, ..., otherwise)");
  for (; !pieces.empty(); pieces.pop_back())
    result = select(pieces.back().second, pieces.back().first, result);
  return result;
}

Expr PieceReader::extreme(std::size_t at, std::string_view word) {
  Expr result = number_valued();
  std::size_t count = 1;
  for (; accept(','); ++count) {
    if (count == most_pieces) fail("more than " + std::to_string(most_pieces) + " numbers");
    const Expr next = number_valued();
    result = word == "max" ? max(result, next) : min(result, next);
  }
  if (count == 1) fail_at(at, "expected two or more numbers: " + std::string(word) + "(a, b, ...)");
  expect(')');
  return result;
}

}  // namespace dalembert
