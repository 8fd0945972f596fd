#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// Reads a text from left to right, in words. What does not fit throws ParseError with the place.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

 protected:
  static bool starts_name(char c);
  static bool continues_name(char c);

  [[noreturn]] void fail(const std::string& problem) const { fail_at(position_, problem); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& problem) const;
  /// The position of the next character that is not white space.
  std::size_t here();
  void skip_space();
  /// Passes the next character if it is this one.
  bool accept(char c);
  void expect(char c);
  Expr number();
  /// A name; dots may stand inside, before a letter: coin.velocity.
  std::string_view name();

  std::string_view text_;
  std::size_t position_ = 0;

 private:
  std::string shortened() const;
};

}  // namespace dalembert
