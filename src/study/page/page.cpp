#include "dalembert/study/page/page.hpp"

namespace dalembert::study {
namespace {

OptionValue value_of_key(const OptionInfo& key, const DocumentNode& node) {
  if (is_list(key)) {
    std::vector<std::string> texts;
    for (const DocumentNode& entry : as_list(node)) texts.push_back(as_text(entry));
    return texts;
  }
  if (const bool* truth = std::get_if<bool>(&node.value); truth != nullptr && is_yes_or_no(key))
    return std::string(*truth ? "yes" : "no");
  if (std::holds_alternative<double>(key.default_value) && !(key.number_or_word && node.is_text()))
    return as_number(node);
  if (key.number_or_word && node.is_number()) return as_number(node);
  return as_text(node);
}

}  // namespace

bool is_list(const OptionInfo& key) {
  return std::holds_alternative<std::vector<std::string>>(key.default_value);
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
    if (node == nullptr) continue;
    OptionValue value = value_of_key(key, *node);
    if (const std::string misfit = option_misfit(key, value); !misfit.empty()) node->refuse(misfit);
    values.emplace(key.name, std::move(value));
  }
  return values;
}

}  // namespace dalembert::study
