#include "dalembert/study/method_text.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/method/library.hpp"

namespace dalembert::study {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

[[noreturn]] void refuse(const std::string& text, const std::string& problem) {
  throw RequestError("the method \"" + text + "\" " + problem +
                     "; write it as name(option=value, ...), as in dla(alpha=0.4)");
}

/// The parts between commas that stand outside parentheses and quotes.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0 && !is_quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// A text in quotes without them.
std::string unquoted(const std::string& text) {
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

double number(const std::string& text, const std::string& option) {
  try {
    const Expr value = parse(text, {});
    if (value.is_constant()) return value.constant().high;
  } catch (const ParseError& error) {
    throw RequestError("option \"" + option + "\": " + error.what());
  }
  throw RequestError("option \"" + option + "\" is \"" + text + "\"; it must be a number");
}

OptionValue value_of(const MethodEntry& entry, const std::string& option, const std::string& text) {
  for (const OptionInfo& info : entry.options) {
    if (info.name != option) continue;
    const bool is_word = std::ranges::find(info.choices, text) != info.choices.end();
    if (std::holds_alternative<double>(info.default_value) || (info.number_or_word && !is_word))
      return number(text, option);
    if (std::holds_alternative<std::shared_ptr<const MethodSpec>>(info.default_value))
      return std::make_shared<const MethodSpec>(parse_method(text));
  }
  return text;
}

void set_option(MethodSpec& spec, const std::string& setting, const std::string& whole) {
  const std::size_t equals = setting.find('=');
  const std::string option = trimmed(setting.substr(0, equals));
  if (equals == std::string::npos || option.empty())
    refuse(whole, "has \"" + trimmed(setting) + "\" where option=value is expected");
  spec.options.insert_or_assign(option, value_of(method_entry(spec.name), option,
                                                 unquoted(trimmed(setting.substr(equals + 1)))));
}

/// Each level of methods within methods is compiled, the innermost as often as all are composed.
void check_nesting(const std::string& text) {
  constexpr int deepest = 8;
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth > deepest)
      refuse(text.substr(0, text.find('(')) + "(...)",
             "is nested more than " + std::to_string(deepest) + " levels deep");
  }
}

}  // namespace

MethodSpec parse_method(const std::string& text, const std::vector<std::string>& settings) {
  const std::string whole = trimmed(text);
  check_nesting(whole);
  const std::size_t open = whole.find('(');
  MethodSpec spec{trimmed(whole.substr(0, open)), {}};
  static_cast<void>(method_entry(spec.name));
  if (open != std::string::npos) {
    if (whole.back() != ')') refuse(whole, "has no closing parenthesis at its end");
    const std::string inside = whole.substr(open + 1, whole.size() - open - 2);
    if (std::count(inside.begin(), inside.end(), '(') !=
        std::count(inside.begin(), inside.end(), ')'))
      refuse(whole, "has parentheses that do not match");
    if (!trimmed(inside).empty()) {
      for (const std::string& part : split(inside)) set_option(spec, part, whole);
    }
  }
  for (const std::string& setting : settings) set_option(spec, setting, whole);
  return spec;
}

}  // namespace dalembert::study
