#include "expression/text/text_cursor.hpp"

#include <cctype>
#include <charconv>
#include <string>

#include "dalembert/expression/parser.hpp"

namespace dalembert {

bool TextCursor::starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool TextCursor::continues_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

namespace {

/// What a text from another program may mean by characters that stand there.
std::string likely_slip(std::string_view text, std::size_t at) {
  const std::string_view rest = at < text.size() ? text.substr(at) : std::string_view();
  for (const char* minus : {"\u2212", "\u2013", "\u2014"})
    if (rest.starts_with(minus)) return "; this is a minus or a dash of typesetting, write -";
  for (const char* times : {"\u00d7", "\u00b7"})
    if (rest.starts_with(times)) return "; a product is written *";
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  if (rest.starts_with(',') && at > 0 && is_digit(at - 1) && is_digit(at + 1))
    return "; a number is written with a point, as 0.5";
  if (rest.starts_with('\'')) return "; a velocity is written x_dot";
  if (rest.starts_with('|')) return "; the size of a number is written abs(x)";
  if (rest.starts_with('*') && at > 0 && text[at - 1] == '*') return "; a power is written x^2";
  const std::string_view word = rest.substr(
      0, std::min(rest.size(), rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789")));
  if (word == "deg" || word == "degree" || word == "degrees" || rest.starts_with("\u00b0"))
    return "; angles are in radians, as 30*pi/180";
  if (word == "if") return "; a choice is written piecewise(value, condition, otherwise)";
  return "";
}

/// Whether a factor stands where an operator should: "2 x".
bool lacks_operator(std::string_view text, std::size_t at, const std::string& problem) {
  return problem.starts_with("expected an operator") && at < text.size() &&
         (text[at] == '(' || std::isalnum(static_cast<unsigned char>(text[at])) != 0);
}

}  // namespace

void TextCursor::fail_at(std::size_t at, const std::string& problem) const {
  const std::string found =
      at < text_.size() ? "\"" + std::string(text_.substr(at, 12)) + "\"" : "the end";
  std::string slip = likely_slip(text_, at);
  if (slip.empty() && lacks_operator(text_, at, problem)) slip = "; a product is written with *";
  throw ParseError("in the expression \"" + shortened() + "\" at character " +
                       std::to_string(at + 1) + " (" + found + "): " + problem + slip,
                   at);
}

std::string TextCursor::shortened() const {
  return text_.size() <= 100 ? std::string(text_) : std::string(text_.substr(0, 97)) + "...";
}

std::size_t TextCursor::here() {
  skip_space();
  return position_;
}

void TextCursor::skip_space() {
  while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])))
    ++position_;
}

bool TextCursor::accept(char c) {
  skip_space();
  if (position_ >= text_.size() || text_[position_] != c) return false;
  ++position_;
  return true;
}

void TextCursor::expect(char c) {
  if (!accept(c)) fail(std::string("expected '") + c + "'");
}

Expr TextCursor::number() {
  double value = 0.0;
  const char* begin = text_.data() + position_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (error == std::errc::result_out_of_range)
    fail("the number is too large or too small for a double");
  if (error != std::errc()) fail("expected a number");
  position_ += static_cast<std::size_t>(end - begin);
  return value;
}

std::string_view TextCursor::name() {
  skip_space();
  const std::size_t begin = position_;
  if (begin >= text_.size() || !starts_name(text_[begin])) fail("expected a name");
  const auto dot_goes_on = [&] {  // coin.velocity
    return text_[position_] == '.' && position_ + 1 < text_.size() &&
           starts_name(text_[position_ + 1]);
  };
  while (position_ < text_.size() && (continues_name(text_[position_]) || dot_goes_on()))
    ++position_;
  return text_.substr(begin, position_ - begin);
}

}  // namespace dalembert
