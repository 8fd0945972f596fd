#pragma once

#include <string_view>

#include "expression/text/parsed_value.hpp"
#include "expression/text/text_cursor.hpp"

namespace dalembert {

/// Reads conditions, and the functions made of pieces by them, among expressions that a derived
/// class reads.
class PieceReader : public TextCursor {
 public:
  using TextCursor::TextCursor;
  virtual ~PieceReader() = default;

 protected:
  PieceReader(const PieceReader&) = default;
  PieceReader& operator=(const PieceReader&) = delete;

  /// The longest sum, difference or other number or vector that stands here.
  virtual ParsedValue expression() = 0;

  Expr number_in(std::size_t at, const ParsedValue& value) const;
  Expr number_valued();
  /// Refuses a comparison that stands here, after a number.
  void refuse_comparison();

  /// What stands in parentheses: an expression, or a condition of comparisons, `and`, `or`, `not`.
  ParsedValue expression_or_condition();
  /// The rest of piecewise(value, condition, ..., otherwise).
  Expr piecewise(std::size_t at);
  /// The rest of max(a, b, ...), or of min.
  Expr extreme(std::size_t at, std::string_view word);

 private:
  bool accept_word(std::string_view word);
  bool at_comparison();
  Condition condition_in(std::size_t at, const ParsedValue& value) const;
  Condition relation(const Expr& left);
  ParsedValue comparison();
  ParsedValue conjunction();

  Expr right_;  // of the comparison that was read last
};

}  // namespace dalembert
