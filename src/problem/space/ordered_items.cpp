#include "problem/space/ordered_items.hpp"

#include <algorithm>
#include <cctype>

namespace dalembert::study {
namespace {

bool is_word_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

void add_words(const std::string& text, std::set<std::string>& words) {
  std::string word;
  for (const char c : text + " ") {
    if (is_word_part(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
}

void add_words(const DocumentNode& node, std::set<std::string>& words) {
  if (node.is_text()) add_words(as_text(node), words);
  if (node.is_array()) {
    for (const DocumentNode& entry : node.array()) add_words(entry, words);
  }
  if (node.is_table()) {
    for (const TableEntry& entry : node.table()) add_words(entry.second, words);
  }
}

/// A name that an item uses and another pending one gives, or "".
std::string missing_name(const NamedItem& item, const std::vector<NamedItem>& pending) {
  std::set<std::string> words = words_in(*item.node);
  words.insert(item.needs.begin(), item.needs.end());
  for (const NamedItem& other : pending) {
    if (&other == &item || other.node == item.node) continue;
    for (const std::string& name : other.provides) {
      if (words.contains(name)) return name;
    }
  }
  return "";
}

}  // namespace

std::set<std::string> words_in(const DocumentNode& node) {
  std::set<std::string> words;
  add_words(node, words);
  return words;
}

void make_in_order(std::vector<NamedItem> items) {
  while (!items.empty()) {
    const auto ready = std::ranges::find_if(
        items, [&](const NamedItem& item) { return missing_name(item, items).empty(); });
    if (ready == items.end()) {
      items.front().node->refuse("needs \"" + missing_name(items.front(), items) +
                                 "\", which cannot be known before it");
    }
    ready->make();
    items.erase(ready);
  }
}

}  // namespace dalembert::study
