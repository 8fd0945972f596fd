#include "number_form.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "c_definitions.hpp"

namespace dalembert {
namespace {

/// Whether a word is a name followed by a number.
bool is_numbered(const std::string& word, const std::string& name) {
  return word.size() > name.size() && word.starts_with(name) &&
         word.find_first_not_of("0123456789", name.size()) == std::string::npos;
}

/// Whether each pack has a variable of that name.
bool belongs_to_pack(const std::string& word) {
  static const std::set<std::string> names{"s",
                                           "accept",
                                           "active",
                                           "alive",
                                           "beside",
                                           "cells",
                                           "change",
                                           "done",
                                           "failed",
                                           "fell_back",
                                           "finite",
                                           "nothing",
                                           "passes",
                                           "iterations",
                                           "refuse",
                                           "rates",
                                           "residual",
                                           "settled",
                                           "slow",
                                           "reports",
                                           "step_size",
                                           "fallback_residual",
                                           "keeps",
                                           "turn",
                                           "taken",
                                           "good",
                                           "exhausted",
                                           "changes",
                                           "sizes",
                                           "stage_nodes",
                                           "stage_weights",
                                           "path_weights",
                                           "node_weights"};
  if (names.contains(word)) return true;
  return std::ranges::any_of(
      std::initializer_list<const char*>{"x", "stage_x", "beside_x", "previous_", "settled_",
                                         "size_", "rate_", "largest_", "largest_before_",
                                         "uneven_"},
      [&](const char* name) { return is_numbered(word, name); });
}

std::string joined(const NumberForm& form, const std::string& mask, const char* operation) {
  std::string text;
  for (int pack = 0; pack < form.packs; ++pack)
    text += (pack == 0 ? "" : operation) + form.of(pack, mask);
  return text;
}

/// How much deeper in braces a text ends than it begins.
int depth_of(const std::string& text) {
  return static_cast<int>(std::ranges::count(text, '{') - std::ranges::count(text, '}'));
}

}  // namespace

std::string NumberForm::constant(const std::string& literal) const {
  return is_one() ? literal : "broadcast(" + literal + ")";
}

std::string NumberForm::of(int pack, const std::string& expression) const {
  if (is_one()) return expression;
  const std::string suffix = "_" + std::to_string(pack);
  return replace_words(expression, [&](const std::string& word) {
    return belongs_to_pack(word) ? word + suffix : word;
  });
}

std::string NumberForm::any(const std::string& mask) const {
  return "any(" + joined(*this, mask, " | ") + ")";
}

std::string NumberForm::all(const std::string& mask) const {
  return "all(" + joined(*this, mask, " & ") + ")";
}

std::string NumberForm::each(const std::string& statements) const {
  if (is_one()) return statements;
  std::string result, statement;
  int depth = 0;
  for (std::size_t from = 0; from < statements.size();) {
    const std::size_t end = statements.find('\n', from);
    const std::string line = statements.substr(from, end - from + 1);
    from = end == std::string::npos ? statements.size() : end + 1;
    statement += line;
    depth += depth_of(line);
    const std::size_t last = line.find_last_not_of(" \n");
    const bool is_whole =
        depth == 0 && last != std::string::npos && (line[last] == ';' || line[last] == '}');
    if (!is_whole) continue;
    for (int pack = 0; pack < packs; ++pack) result += of(pack, statement);
    statement.clear();
  }
  return result;
}

}  // namespace dalembert
