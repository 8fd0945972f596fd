#include "dalembert/error.hpp"

#include <cstddef>

namespace dalembert {
namespace {

constexpr std::size_t longest_sentence = 3000;

bool is_control(unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }

}  // namespace

std::string without_controls(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (is_control(c)) text[i] = '?';
    // U+0080 to U+009F in UTF-8: one of them begins what ESC and [ begin.
    if (c == 0xc2 && next >= 0x80 && next < 0xa0) text[i] = text[i + 1] = '?';
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
