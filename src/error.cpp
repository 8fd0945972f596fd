#include "dalembert/error.hpp"

#include <cstddef>
#include <string>

namespace dalembert {
namespace {

constexpr std::size_t longest_sentence = 3000;

/// The length of the well-formed sequence of UTF-8 that begins at a byte; zero if none does.
std::size_t sequence_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const unsigned lead = byte(0), next = byte(1);
  if (lead < 0x80U) return 1;
  const std::size_t length = lead < 0xC2U   ? 0
                             : lead < 0xE0U ? 2
                             : lead < 0xF0U ? 3
                             : lead < 0xF5U ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const bool is_too_long = (lead == 0xE0U && next < 0xA0U) || (lead == 0xF0U && next < 0x90U);
  const bool is_no_letter = (lead == 0xEDU && next >= 0xA0U) || (lead == 0xF4U && next >= 0x90U);
  return is_too_long || is_no_letter ? 0 : length;
}

/// Control characters of ASCII but for the ends of lines and tabs, and U+0080 to U+009F, of which
/// one begins what ESC and [ begin.
bool is_control(unsigned char lead, unsigned char next) {
  return (lead < 0x20 && lead != '\n' && lead != '\t') || lead == 0x7f ||
         (lead == 0xc2 && next < 0xa0);
}

}  // namespace

std::string without_controls(std::string text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i), shown = length == 0 ? 1 : length;
    const auto lead = static_cast<unsigned char>(text[i]),
               next = static_cast<unsigned char>(shown > 1 ? text[i + 1] : 0);
    if (length == 0 || is_control(lead, next)) text.replace(i, shown, shown, '?');
    i += shown;
  }
  return text;
}

std::string readable(const std::string& sentence) {
  if (sentence.size() <= longest_sentence) return without_controls(sentence);
  // Not within a letter of several bytes.
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(sentence[at]) & 0xc0U) == 0x80U;
  };
  std::size_t begin = longest_sentence / 2, end = sentence.size() - longest_sentence / 2;
  while (begin > 0 && is_inside(begin)) --begin;
  while (end < sentence.size() && is_inside(end)) ++end;
  return without_controls(sentence.substr(0, begin) + " [...] " + sentence.substr(end));
}

}  // namespace dalembert
