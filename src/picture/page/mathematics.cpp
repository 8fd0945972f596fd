#include "mathematics.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "dalembert/expression/notation/greek.hpp"
#include "dalembert/picture/page/html_page.hpp"

namespace dalembert::study {
namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

constexpr std::array<Replacement, 5> signs{
    {{"+-", "±"}, {"->", "→"}, {"<=", "≤"}, {">=", "≥"}, {"!=", "≠"}}};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_of_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Turns a text into HTML from left to right.
class Writer {
 public:
  explicit Writer(std::string_view text) : text_(text) {}

  std::string html() {
    while (at_ < text_.size()) {
      if (sign() || raised() || number() || word()) continue;
      result_ += html_escape(text_.substr(at_++, 1));
    }
    return result_;
  }

 private:
  char next(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool follows_word() const { return at_ > 0 && is_of_word(text_[at_ - 1]); }

  bool sign() {
    for (const auto& [written, shown] : signs) {
      if (!text_.substr(at_).starts_with(written)) continue;
      result_ += shown;
      at_ += written.size();
      return true;
    }
    return false;
  }

  /// What stands in braces after `skip` characters, or the characters there that `belongs` takes.
  template <class Belongs>
  std::string_view argument(std::size_t skip, Belongs belongs) const {
    const std::string_view rest = text_.substr(std::min(at_ + skip, text_.size()));
    if (rest.starts_with("{")) return rest.substr(0, rest.find('}') + 1);
    std::size_t length = 0;
    while (length < rest.size() && belongs(rest, length)) ++length;
    return rest.substr(0, length);
  }

  void put(const char* element, std::string_view argument) {
    if (argument.starts_with("{")) argument = argument.substr(1, argument.size() - 2);
    const bool is_negative = argument.starts_with('-');
    if (is_negative) argument.remove_prefix(1);
    result_ += std::string("<") + element + ">" + (is_negative ? "−" : "") +
               Writer(argument).html() + "</" + element + ">";
  }

  bool raised() {
    if (next() != '^' || at_ == 0) return false;
    const auto belongs = [](std::string_view rest, std::size_t i) {
      if (i == 0 && (rest[0] == '-' || rest[0] == '*')) return true;
      return rest[0] != '*' && (is_letter(rest[i]) || is_digit(rest[i]));
    };
    const std::string_view power = argument(1, belongs);
    if (power.empty() || power == "-") return false;
    put("sup", power);
    at_ += 1 + power.size();
    return true;
  }

  /// 8e-05 is a number times a power of ten.
  bool number() {
    if (!is_digit(next()) || follows_word()) return false;
    std::size_t end = at_;
    while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '.')) ++end;
    std::string_view mantissa = text_.substr(at_, end - at_), rest = text_.substr(end);
    std::size_t digits = rest.size() > 1 && (rest[1] == '-' || rest[1] == '+') ? 2 : 1;
    const std::size_t first = digits;
    while (digits < rest.size() && is_digit(rest[digits])) ++digits;
    if (!rest.starts_with("e") || digits == first ||
        (digits < rest.size() && is_of_word(rest[digits]))) {
      result_ += mantissa;
      at_ = end;
      return true;
    }
    std::string_view power = rest.substr(first, digits - first);
    power.remove_prefix(std::min(power.find_first_not_of('0'), power.size() - 1));
    if (mantissa != "1") result_ += std::string(mantissa) + "·";
    result_ += "10<sup>" + std::string(rest[1] == '-' ? "−" : "") + std::string(power) + "</sup>";
    at_ = end + digits;
    return true;
  }

  /// A Greek letter, and an index after a single letter.
  bool word() {
    if (!is_letter(next()) || follows_word()) return false;
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    // A capital one may begin a sentence: "Delta robots".
    const std::string_view letter =
        std::islower(static_cast<unsigned char>(name[0])) != 0 ? greek_letter(name) : "";
    const bool is_greek = !letter.empty() && !(end < text_.size() && text_[end] == '=');
    at_ = end;
    const bool has_index = next() == '_' && (is_greek || name.size() == 1);
    const std::string_view index = has_index ? index_here() : std::string_view();
    const bool stays = next() == '_' && index.empty();  // a name such as xi_dot
    result_ += is_greek && !stays ? letter : name;
    if (!index.empty()) {
      put("sub", index);
      at_ += 1 + index.size();
    } else if (stays) {
      while (is_of_word(next())) result_ += text_[at_++];
    }
    return true;
  }

  /// Digits, one letter or braces after the underscore; nothing if the name goes on.
  std::string_view index_here() const {
    const std::string_view index = argument(1, [](std::string_view rest, std::size_t i) {
      return is_digit(rest[i]) || (i == 0 && is_letter(rest[0]));
    });
    const std::size_t end = at_ + 1 + index.size();
    if (end < text_.size() && is_of_word(text_[end])) return {};
    return index;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string result_;
};

}  // namespace

std::string html_with_mathematics(std::string_view text) { return Writer(text).html(); }

}  // namespace dalembert::study
