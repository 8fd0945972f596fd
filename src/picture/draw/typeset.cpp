#include "typeset.hpp"

#include <algorithm>
#include <cctype>

#include "dalembert/expression/notation/greek.hpp"

namespace dalembert::study {
namespace {

constexpr std::string_view dot_above = "\u0307", dot_ending = "_dot";

bool is_letter_of_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit_of_name(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_in_name(char c) { return is_letter_of_name(c) || is_digit_of_name(c) || c == '_'; }

std::string replaced(std::string_view text, char from, std::string_view to) {
  std::string result;
  for (const char c : text) c == from ? result += to : result += c;
  return result;
}

/// A name in its parts: theta_1_dot is theta, "1", with a dot.
struct NameParts {
  std::string_view base, index;
  bool has_dot = false;
};

NameParts parts_of(std::string_view name) {
  NameParts parts;
  parts.has_dot = name.ends_with(dot_ending) && name.size() > dot_ending.size();
  if (parts.has_dot) name.remove_suffix(dot_ending.size());
  const auto* const end = std::find_if_not(name.begin(), name.end(), is_letter_of_name);
  parts.base = name.substr(0, static_cast<std::size_t>(end - name.begin()));
  parts.index = name.substr(parts.base.size());
  if (parts.index.starts_with('_')) parts.index.remove_prefix(1);
  return parts;
}

/// Turns a text into markup from left to right.
class MarkupWriter {
 public:
  MarkupWriter(std::string_view text, bool is_formula) : text_(text), is_formula_(is_formula) {}

  std::string markup() {
    while (at_ < text_.size()) {
      if (number() || name() || power() || product()) continue;
      markup_ += plain_markup(text_.substr(at_++, 1));
    }
    return markup_;
  }

 private:
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  std::string_view run_from(std::size_t begin, bool (*belongs)(char)) const {
    std::size_t end = begin;
    while (end < text_.size() && belongs(text_[end])) ++end;
    return text_.substr(begin, end - begin);
  }

  /// With what hangs on it, so that the e of 1e-3 is no name.
  bool number() {
    if (!is_digit_of_name(at(at_))) return false;
    const std::string_view digits = run_from(
        at_, [](char c) { return is_letter_of_name(c) || is_digit_of_name(c) || c == '.'; });
    markup_ += digits;
    at_ += digits.size();
    return true;
  }

  bool name() {
    if (!is_letter_of_name(at(at_))) return false;
    const std::size_t begin = at_;
    const std::string_view name = run_from(at_, is_in_name);
    at_ += name.size();
    const bool is_text = at(at_) == '(' || (!is_formula_ && is_part_of_word(begin));
    markup_ += is_text ? plain_markup(name) : symbol(name);
    return true;
  }

  /// An option such as alpha=0.4, or a part of a word such as delta-robot.
  bool is_part_of_word(std::size_t begin) const {
    const bool goes_on = at(at_) == '-' && is_letter_of_name(at(at_ + 1));
    const bool went_before =
        begin > 1 && text_[begin - 1] == '-' && is_letter_of_name(text_[begin - 2]);
    return at(at_) == '=' || goes_on || went_before;
  }

  std::string symbol(std::string_view name) {
    const NameParts parts = parts_of(name);
    const std::string_view letter = greek_letter(parts.base);
    if (letter.empty() && parts.base.size() > 1) return words(name, parts);
    std::string text(letter.empty() ? parts.base : letter);
    if (parts.has_dot) text += dot_above;
    const std::string index = replaced(parts.index, '_', ",") + entry();
    return index.empty() ? text : text + "_{" + index + "}";
  }

  std::string words(std::string_view name, const NameParts& parts) const {
    if (!is_formula_) return plain_markup(name);
    if (!parts.has_dot) return replaced(name, '_', " ");
    name.remove_suffix(dot_ending.size());
    return "d(" + replaced(name, '_', " ") + ")/dt";
  }

  /// The indices of an entry of a matrix, as [1,3], which follow its name.
  std::string entry() {
    const std::size_t end = text_.find(']', at_);
    if (at(at_) != '[' || end == std::string_view::npos) return "";
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (!std::ranges::all_of(inside, [](char c) { return is_digit_of_name(c) || c == ','; }))
      return "";
    at_ = end + 1;
    const bool short_indices = inside.size() == 3 && inside[1] == ',';
    return short_indices ? replaced(inside, ',', "") : std::string(inside);
  }

  /// After ^: a number, a name or what stands in braces.
  bool power() {
    if (at(at_) != '^' || at_ == 0) return false;
    std::size_t begin = at_ + 1, end = begin;
    if (at(begin) == '{') {
      end = text_.find('}', ++begin);
      if (end == std::string_view::npos) return false;
    } else {
      if (at(end) == '-') ++end;
      while (is_letter_of_name(at(end)) || is_digit_of_name(at(end))) ++end;
    }
    const std::string_view raised = text_.substr(begin, end - begin);
    if (raised.empty() || raised == "-") return false;
    const bool is_negative = raised.starts_with('-');
    markup_ += "^{" + std::string(is_negative ? "−" : "") +
               MarkupWriter(raised.substr(is_negative ? 1 : 0), is_formula_).markup() + "}";
    at_ = end + (at(end) == '}' ? 1 : 0);
    return true;
  }

  bool product() {
    if (!is_formula_ || at(at_) != '*') return false;
    markup_ += "·";
    ++at_;
    return true;
  }

  std::string_view text_;
  bool is_formula_;
  std::size_t at_ = 0;
  std::string markup_;
};

}  // namespace

std::string formula_markup(std::string_view text) { return MarkupWriter(text, true).markup(); }
std::string sentence_markup(std::string_view text) { return MarkupWriter(text, false).markup(); }

std::string plain_markup(std::string_view text) {
  constexpr std::string_view special = "^_{}@&~\\";
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::size_t shown_length(std::string_view markup) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < markup.size(); ++i) {
    if (markup[i] == '\\' && i + 1 < markup.size())
      ++i;
    else if (std::string_view("^_{}").find(markup[i]) != std::string_view::npos)
      continue;
    const bool goes_on = (static_cast<unsigned char>(markup[i]) & 0xC0U) == 0x80U;
    length += goes_on ? 0 : 1;
  }
  return length;
}

}  // namespace dalembert::study
