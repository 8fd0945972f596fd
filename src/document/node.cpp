#include "dalembert/document/node.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"

namespace dalembert::study {

std::string Place::text() const { return line == 0 ? file : file + ":" + std::to_string(line); }

const DocumentNode* DocumentNode::find(std::string_view name) const {
  for (const auto& [entry_name, entry] : table()) {
    if (entry_name == name) return &entry;
  }
  return nullptr;
}
DocumentNode* DocumentNode::find(std::string_view name) {
  return const_cast<DocumentNode*>(std::as_const(*this).find(name));
}

std::string DocumentNode::found() const {
  if (is_table()) return "a table";
  if (is_array()) return "a list";
  if (const auto* text = std::get_if<std::string>(&value)) return "the text \"" + *text + "\"";
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  return to_string(std::get<double>(value));
}

const DocumentNode::Table& DocumentNode::table() const {
  if (!is_table()) refuse("must be a table, not " + found());
  return std::get<Table>(value);
}
DocumentNode::Table& DocumentNode::table() {
  return const_cast<Table&>(std::as_const(*this).table());
}
const DocumentNode::Array& DocumentNode::array() const {
  if (!is_array()) refuse("must be a list, not " + found());
  return std::get<Array>(value);
}
DocumentNode::Array& DocumentNode::array() {
  return const_cast<Array&>(std::as_const(*this).array());
}

void DocumentNode::check_text() const {
  const std::string* text = std::get_if<std::string>(&value);
  if (text == nullptr) return;
  const std::string shown = without_controls(*text);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] != (*text)[i] && (*text)[i] != '\r')
      refuse("has a control character as byte " + std::to_string(i + 1) + " of its text");
  }
}

void DocumentNode::refuse(const std::string& problem) const {
  // An option of a command stands for the key that it sets.
  if (place.file.starts_with("--") && place.file.find(' ') == std::string::npos)
    throw RequestError(place.file + " " + problem);
  throw RequestError(place.text(), "key \"" + key + "\" " + problem);
}

const std::string& as_text(const DocumentNode& node) {
  if (!node.is_text()) node.refuse("must be a text, not " + node.found());
  return std::get<std::string>(node.value);
}

bool as_boolean(const DocumentNode& node) {
  const bool* value = std::get_if<bool>(&node.value);
  if (value == nullptr) node.refuse("must be true or false, not " + node.found());
  return *value;
}

double as_number(const DocumentNode& node) {
  if (!node.is_number()) node.refuse("must be a number, not " + node.found());
  if (const auto* whole = std::get_if<std::int64_t>(&node.value))
    return static_cast<double>(*whole);
  const double value = std::get<double>(node.value);
  if (!std::isfinite(value)) node.refuse("is " + node.found() + "; it must be a finite number");
  return value;
}

std::int64_t as_whole(const DocumentNode& node, std::int64_t min, std::int64_t max) {
  const auto range = [&] {
    return " in [" + std::to_string(min) + ", " + std::to_string(max) + "]";
  };
  std::int64_t value = 0;
  if (const auto* whole = std::get_if<std::int64_t>(&node.value)) {
    value = *whole;
  } else {
    const double number = as_number(node);
    if (number != std::floor(number) || std::fabs(number) > 9e15) {
      node.refuse("is " + node.found() + "; it must be a whole number" + range());
    }
    value = static_cast<std::int64_t>(number);
  }
  if (value < min || value > max)
    node.refuse("is " + std::to_string(value) + "; it must be a whole number" + range());
  return value;
}

std::vector<DocumentNode> as_list(const DocumentNode& node) {
  if (node.is_array()) return node.array();
  return {node};
}

bool is_name_for_files(const std::string& text) {
  const bool plain = std::ranges::none_of(
      text, [](unsigned char c) { return c == '/' || c == '\\' || std::iscntrl(c) != 0; });
  return plain && !text.empty() && !text.starts_with('.');
}

TableReader::TableReader(const DocumentNode& node) : node_(node) {
  if (!node.is_table()) node.refuse("must be a table, not " + node.found());
}

const DocumentNode* TableReader::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  return node_.find(key);
}

const DocumentNode& TableReader::require(const std::string& key) {
  const DocumentNode* entry = find(key);
  if (entry == nullptr) {
    for (const auto& [name, other] : node_.table()) {  // it may be there, misspelt
      const bool is_known = std::find(known_.begin(), known_.end(), name) != known_.end();
      if (!is_known && !nearest_name(name, {key}).empty()) {
        throw RequestError(other.place.text(),
                           "unknown key \"" + other.key + "\"" + suggestion(name, {key}));
      }
    }
    const std::string table = node_.key.empty() ? "" : " in the table \"" + node_.key + "\"";
    throw RequestError(node_.place.text(), "the key \"" + key + "\" is missing" + table);
  }
  return *entry;
}

const DocumentNode::Table& TableReader::entries(const std::string& key) {
  static const DocumentNode::Table none;
  const DocumentNode* entry = find(key);
  if (entry == nullptr) return none;
  if (!entry->is_table()) entry->refuse("must be a table, not " + entry->found());
  return entry->table();
}

std::string TableReader::text(const std::string& key, const std::string& otherwise) {
  const DocumentNode* entry = find(key);
  return entry == nullptr ? otherwise : as_text(*entry);
}

void TableReader::finish() const {
  for (const auto& [name, entry] : node_.table()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    throw RequestError(entry.place.text(),
                       "unknown key \"" + entry.key + "\"" + suggestion(name, known_));
  }
}

}  // namespace dalembert::study
