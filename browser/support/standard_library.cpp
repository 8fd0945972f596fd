// Numbers as texts, for a standard library that reads and writes none: by those of C and of fmt.

#include "standard_library.hpp"

#include <fmt/core.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

/// "inf", "infinity" or "nan" at the beginning of a text, in letters of any size.
std::string_view word_at(std::string_view text) {
  for (const std::string_view word : {"infinity", "inf", "nan"})
    if (text.size() >= word.size() &&
        std::equal(word.begin(), word.end(), text.begin(),
                   [](char letter, char found) { return letter == (found | 0x20); }))
      return text.substr(0, word.size());
  return {};
}

/// The characters of a decimal number at the beginning of a text.
std::size_t number_size(std::string_view text) {
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  std::size_t end = text.starts_with('-') ? 1 : 0, digits = 0;
  for (; is_digit(end); ++end) ++digits;
  if (end < text.size() && text[end] == '.' && (digits > 0 || is_digit(end + 1)))
    for (++end; is_digit(end); ++end) ++digits;
  if (digits == 0) return 0;
  if (end < text.size() && (text[end] | 0x20) == 'e') {
    const bool is_signed = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
    std::size_t after = end + (is_signed ? 2 : 1);
    if (is_digit(after)) {
      while (is_digit(after)) ++after;
      end = after;
    }
  }
  return end;
}

/// A positive number 0.d1d2... x 10^point.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal shortest_decimal(double value) {
  char text[40];
  const char* const end = fmt::format_to(text, "{}", value);
  const std::string_view all(text, static_cast<std::size_t>(end - text));
  const std::string_view mantissa = all.substr(0, all.find('e'));
  const std::size_t dot = std::min(mantissa.find('.'), mantissa.size());
  Decimal decimal{.digits = std::string(mantissa), .point = static_cast<int>(dot)};
  std::erase(decimal.digits, '.');
  if (mantissa.size() < all.size())
    decimal.point += std::atoi(std::string(all.substr(mantissa.size() + 1)).c_str());
  const std::size_t zeros = decimal.digits.find_first_not_of('0');
  decimal.digits.erase(0, zeros);
  decimal.point -= static_cast<int>(zeros);
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  return decimal;
}

/// The shorter of the two forms.
std::string shortest_text(double value) {
  if (value == 0.0) return "0";
  const auto [digits, point] = shortest_decimal(value);
  const int size = static_cast<int>(digits.size()), exponent = point - 1;
  std::string scientific = digits.substr(0, 1);
  if (size > 1) scientific += "." + digits.substr(1);
  scientific += fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
  std::string fixed;
  if (point <= 0)
    fixed = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
  else if (point < size)
    fixed = digits.substr(0, static_cast<std::size_t>(point)) + "." +
            digits.substr(static_cast<std::size_t>(point));
  else  // all digits of the number, where they are more than tell it apart
    fixed = fmt::format("{:.0f}", value);
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

std::to_chars_result given(char* first, char* last, std::string_view text) {
  if (static_cast<std::size_t>(last - first) < text.size())
    return {last, std::errc::value_too_large};
  std::memcpy(first, text.data(), text.size());
  return {first + text.size(), std::errc()};
}

}  // namespace

namespace std {

from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string_view text(first, static_cast<size_t>(last - first));
  const bool is_negative = text.starts_with('-');
  if (const string_view word = word_at(text.substr(is_negative ? 1 : 0)); !word.empty()) {
    const double magnitude = (word.front() | 0x20) == 'n' ? NAN : HUGE_VAL;
    value = is_negative ? -magnitude : magnitude;
    return {first + word.size() + (is_negative ? 1 : 0), errc()};
  }
  const string number(text.substr(0, number_size(text)));
  if (number.empty()) return {first, errc::invalid_argument};
  const double read = strtod(number.c_str(), nullptr);  // rounds correctly
  const bool is_zero =
      number.substr(0, number.find_first_of("eE")).find_first_of("123456789") == string::npos;
  if (std::fabs(read) > DBL_MAX || (read == 0.0 && !is_zero))
    return {first + number.size(), errc::result_out_of_range};
  value = read;
  return {first + number.size(), errc()};
}

to_chars_result to_chars(char* first, char* last, double value) {
  const string sign = std::signbit(value) ? "-" : "";
  if (value != value) return given(first, last, sign + "nan");
  if (std::fabs(value) > DBL_MAX) return given(first, last, sign + "inf");
  return given(first, last, sign + shortest_text(std::fabs(value)));
}

to_chars_result to_chars(char* first, char* last, double value, chars_format) {
  char text[40];
  const string_view all(text, static_cast<size_t>(snprintf(text, sizeof text, "%a", value)));
  const size_t sign = all.starts_with('-') ? 1 : 0;
  return given(first, last, string(all.substr(0, sign)) + string(all.substr(sign + 2)));
}

}  // namespace std
