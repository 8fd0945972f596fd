#include "page_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "dalembert/document/toml.hpp"
#include "dalembert/method/library.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// "--half-width" for half_width.
std::string option_of(const OptionInfo& key) {
  std::string option = "--" + key.name;
  std::ranges::replace(option, '_', '-');
  return option;
}

/// A number as TOML has it where the key takes numbers, else the text as it is.
DocumentNode value_given(const OptionInfo& key, const std::string& text) {
  if (!std::holds_alternative<double>(key.default_value) && !key.number_or_word)
    return DocumentNode{text};
  DocumentNode value = value_in_words(text, option_of(key));
  return value.is_number() ? std::move(value) : DocumentNode{text};
}

std::string help_text(const OptionInfo& key) {
  const auto* word = std::get_if<std::string>(&key.default_value);
  if (is_list(key) || is_yes_or_no(key) || (word != nullptr && word->empty()))
    return key.description;
  return key.description + " (default: " + option_text(key.default_value) + ")";
}

}  // namespace

void add_page_options(CLI::App& command, const PageInfo& page,
                      std::vector<std::pair<std::string, DocumentNode>>& values) {
  for (const OptionInfo& key : page.keys) {
    const std::string name = page.name + "." + key.name;
    const Place place{option_of(key), 0};
    const auto give = [&values, name, place](DocumentNode value) {
      value.place = place;
      values.emplace_back(name, std::move(value));
    };
    if (is_list(key)) {
      command
          .add_option_function<std::vector<std::string>>(
              place.file,
              [give, place](const std::vector<std::string>& texts) {
                give(list_of_words(texts, place.file));
              },
              help_text(key))
          ->allow_extra_args(false);
    } else if (is_yes_or_no(key)) {
      command.add_flag_callback(
          place.file, [give] { give(DocumentNode{true}); }, help_text(key));
    } else {
      command
          .add_option_function<std::string>(
              place.file, [give, &key](const std::string& text) { give(value_given(key, text)); },
              help_text(key))
          ->type_name(option_range(key));
    }
  }
}

std::vector<std::string> words_of(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    int depth = 0;
    std::string word;
    const auto end_word = [&] {
      const std::size_t first = word.find_first_not_of(' '), last = word.find_last_not_of(' ');
      if (first != std::string::npos) words.push_back(word.substr(first, last - first + 1));
      word.clear();
    };
    for (const char c : text) {
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c == ',' && depth == 0) {
        end_word();
      } else {
        word += c;
      }
    }
    end_word();
  }
  return words;
}

DocumentNode list_of_words(const std::vector<std::string>& texts, const std::string& option) {
  DocumentNode::Array list;
  for (const std::string& word : words_of(texts)) list.push_back({word, {option, 0}, option});
  return {std::move(list), {option, 0}};
}

}  // namespace dalembert::app
