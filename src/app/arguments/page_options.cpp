#include "page_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "dalembert/document/toml.hpp"
#include "dalembert/method/library.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// A number as TOML has it where the key takes numbers, else the text as it is.
DocumentNode value_given(const OptionInfo& key, const std::string& text) {
  const std::string option = option_of(key);
  if (!key.form.empty()) return value_in_words(is_list(key) ? "[" + text + "]" : text, option);
  if (!takes_numbers(key)) return DocumentNode{text};
  DocumentNode value = value_in_words(text, option);
  return value.is_number() ? std::move(value) : DocumentNode{text};
}

/// The words of a list, "x, y" as two; a comma within parentheses or brackets separates nothing.
DocumentNode list_of_words(const std::vector<std::string>& texts, const std::string& option) {
  DocumentNode::Array list;
  for (const std::string& text : texts) {
    int depth = 0;
    std::string word;
    const auto end_word = [&] {
      const std::size_t first = word.find_first_not_of(' '), last = word.find_last_not_of(' ');
      if (first != std::string::npos)
        list.push_back({word.substr(first, last - first + 1), {option, 0}, option});
      word.clear();
    };
    for (const char c : text) {
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      c == ',' && depth == 0 ? end_word() : word.push_back(c);
    }
    end_word();
  }
  return {std::move(list), {option, 0}};
}

std::string help_text(const OptionInfo& key) {
  const auto* word = std::get_if<std::string>(&key.default_value);
  if (is_list(key) || is_yes_or_no(key) || (word != nullptr && word->empty()))
    return key.description;
  return key.description + " (default: " + option_text(key.default_value) + ")";
}

/// Function that takes a value for the key, with the option as its place.
auto taker(const PageInfo& page, const OptionInfo& key, OptionValues& values) {
  return [&values, name = page.name + "." + key.name, option = option_of(key)](DocumentNode value) {
    value.place = {option, 0};
    values.emplace_back(name, std::move(value));
  };
}

/// --KEY where no is usual, --no-KEY where yes is, both where it depends.
void add_flags(CLI::App& command, const PageInfo& page, const OptionInfo& key,
               OptionValues& values) {
  const auto give = taker(page, key, values);
  const std::string positive = option_of(key), negative = "--no-" + positive.substr(2);
  std::string opposite = "Without " + key.description;
  opposite[8] = static_cast<char>(std::tolower(static_cast<unsigned char>(opposite[8])));
  const bool is_usual = key.default_value == OptionValue("yes");
  if (!is_usual)
    command.add_flag_callback(
        positive, [give] { give(DocumentNode{true}); }, key.description);
  if (key.default_value == OptionValue("no")) return;
  CLI::Option* option = command.add_flag_callback(
      negative, [give] { give(DocumentNode{false}); }, opposite);
  if (!is_usual) option->excludes(positive);
}

}  // namespace

std::string option_of(const OptionInfo& key) {
  std::string option = "--" + key.name;
  std::ranges::replace(option, '_', '-');
  return option;
}

void add_key_option(CLI::App& command, const PageInfo& page, const OptionInfo& key,
                    OptionValues& values) {
  const auto give = taker(page, key, values);
  const std::string option = option_of(key);
  if (is_yes_or_no(key)) return add_flags(command, page, key, values);
  if (is_list(key) && key.form.empty()) {
    command
        .add_option_function<std::vector<std::string>>(
            option,
            [give, option](const std::vector<std::string>& texts) {
              give(list_of_words(texts, option));
            },
            help_text(key))
        ->allow_extra_args(false);
    return;
  }
  command
      .add_option_function<std::string>(
          option, [give, key](const std::string& text) { give(value_given(key, text)); },
          help_text(key))
      ->type_name(option_range(key));
}

void add_page_options(CLI::App& command, const PageInfo& page, OptionValues& values) {
  for (const OptionInfo& key : page.keys) add_key_option(command, page, key, values);
}

}  // namespace dalembert::app
