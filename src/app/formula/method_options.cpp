#include "method_options.hpp"

#include <fmt/core.h>

#include <variant>

#include "app/page/page_text.hpp"
#include "dalembert/expression/printer.hpp"

namespace dalembert::app {

std::string option_range(const OptionInfo& option) {
  if (!option.choices.empty() && !option.number_or_word) return "one of " + joined(option.choices);
  if (std::holds_alternative<std::string>(option.default_value) && !option.number_or_word)
    return "a text";
  if (!std::holds_alternative<double>(option.default_value) && !option.number_or_word)
    return "a method";
  return fmt::format("{} in [{}, {}]{}", option.whole ? "whole number" : "number",
                     to_string(option.min), to_string(option.max),
                     option.number_or_word ? " or " + joined(option.choices) : "");
}

}  // namespace dalembert::app
