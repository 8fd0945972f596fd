#include "dalembert/study/page/page.hpp"

#include <algorithm>

#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {
namespace {

OptionValue value_of_key(const OptionInfo& key, const DocumentNode& node) {
  if (!key.form.empty()) return parse_constant(node);
  if (is_list(key)) {
    std::vector<std::string> texts;
    for (const DocumentNode& entry : as_list(node)) texts.push_back(as_text(entry));
    return texts;
  }
  const bool is_choice = node.is_text() && std::ranges::count(key.choices, as_text(node)) > 0;
  if (is_yes_or_no(key) && !is_choice) return as_boolean(node) ? "yes" : "no";
  const bool has_words = key.number_or_word && !key.choices.empty();
  if (takes_numbers(key) && (has_words ? node.is_number() : true)) return as_number(node);
  return as_text(node);
}

}  // namespace

const OptionInfo& PageInfo::key(const std::string& key_name) const {
  return *std::ranges::find(keys, key_name, &OptionInfo::name);
}

bool PageInfo::has_own_reader() const {
  return std::ranges::any_of(keys, &OptionInfo::is_read_apart);
}

bool is_list(const OptionInfo& key) {
  return std::holds_alternative<std::vector<std::string>>(key.default_value);
}

bool takes_numbers(const OptionInfo& key) {
  return std::holds_alternative<double>(key.default_value) || key.number_or_word;
}

bool is_yes_or_no(const OptionInfo& key) {
  return key.choices == std::vector<std::string>{"no", "yes"};
}

std::map<std::string, OptionValue> read_values(const PageInfo& page, const DocumentNode* table) {
  if (table == nullptr) return {};
  TableReader reader(*table);
  std::map<std::string, OptionValue> values = read_values(page, reader);
  reader.finish();
  return values;
}

std::map<std::string, OptionValue> read_values(const PageInfo& page, TableReader& table) {
  std::map<std::string, OptionValue> values;
  for (const OptionInfo& key : page.keys) {
    const DocumentNode* node = table.find(key.name);
    if (node == nullptr || key.is_read_apart) continue;
    OptionValue value = value_of_key(key, *node);
    if (const std::string misfit = option_misfit(key, value); !misfit.empty()) node->refuse(misfit);
    values.emplace(key.name, std::move(value));
  }
  return values;
}

}  // namespace dalembert::study
