#include "dalembert/method/option.hpp"

#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"

namespace dalembert {
namespace {

std::string joined_choices(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// "[0, 1]", "(0, inf)" of any positive number; whole numbers have no exponent.
std::string limits(const OptionInfo& option) {
  using Limits = std::numeric_limits<double>;
  const auto text = [&](double limit) {
    return option.whole ? std::to_string(static_cast<long long>(limit)) : to_string(limit);
  };
  return (option.min == Limits::min() ? "(0" : "[" + text(option.min)) + ", " +
         (option.max == Limits::max() ? "inf)" : text(option.max) + "]");
}

/// What is wrong with a number, as the end of a sentence; empty if nothing.
std::string wrong_number(const OptionInfo& option, const OptionValue& value) {
  const double* number = std::get_if<double>(&value);
  if (number == nullptr) return "must be a number";
  const bool is_broken = option.whole && *number != std::floor(*number);
  if (!is_broken && *number >= option.min && *number <= option.max) return "";
  return "is " + to_string(*number) + "; it must be " + (is_broken ? "a whole number " : "") +
         "in " + limits(option);
}

std::string wrong_word(const OptionInfo& option, const OptionValue& value) {
  const std::string* word = std::get_if<std::string>(&value);
  if (option.choices.empty()) return word != nullptr ? "" : "must be a text";
  if (word == nullptr) return "must be one of " + joined_choices(option.choices);
  for (const std::string& choice : option.choices) {
    if (*word == choice) return "";
  }
  return "is \"" + *word + "\"; it must be " +
         (option.number_or_word ? "a number or " : "one of ") + joined_choices(option.choices);
}

std::string wrong_method(const OptionValue& value) {
  const auto* spec = std::get_if<std::shared_ptr<const MethodSpec>>(&value);
  const bool given = spec != nullptr && *spec != nullptr && !(*spec)->name.empty();
  return given ? "" : "must be a method, as { name = \"dla\", alpha = 0.5 }";
}

}  // namespace

std::string option_misfit(const OptionInfo& option, const OptionValue& value) {
  if (!option.form.empty()) return "";
  const OptionValue& like = option.number_or_word ? value : option.default_value;
  if (std::holds_alternative<double>(like)) return wrong_number(option, value);
  if (std::holds_alternative<std::string>(option.default_value)) return wrong_word(option, value);
  if (std::holds_alternative<std::vector<std::string>>(option.default_value))
    return value.index() == option.default_value.index() ? "" : "must be a list of texts";
  return wrong_method(value);
}

std::string option_range(const OptionInfo& option) {
  if (!option.form.empty()) return option.form;
  if (std::holds_alternative<double>(option.default_value) || option.number_or_word) {
    const std::string range =
        std::string(option.whole ? "whole number" : "number") + " in " + limits(option);
    return !option.choices.empty() ? range + " or " + joined_choices(option.choices) : range;
  }
  if (!option.choices.empty()) return "one of " + joined_choices(option.choices);
  if (std::holds_alternative<std::string>(option.default_value)) return "a text";
  return std::holds_alternative<std::vector<std::string>>(option.default_value) ? "a list of texts"
                                                                                : "a method";
}

void check_option(const std::string& method, const OptionInfo& option, const OptionValue& value) {
  const std::string problem = option_misfit(option, value);
  if (!problem.empty())
    throw RequestError("option \"" + option.name + "\" of method \"" + method + "\" " + problem);
}

}  // namespace dalembert
