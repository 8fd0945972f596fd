#include "dalembert/document/toml.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "dalembert/document/file_text.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/expression/printer.hpp"

namespace dalembert::study {

std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\r':
        result += "\\r";
        break;
      case '\t':
        result += "\\t";
        break;
      default:
        result += c;
    }
  }
  return result + "\"";
}

namespace {

std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

constexpr std::size_t longest_document = 16'000'000;  ///< bytes

[[noreturn]] void refuse_depth(const std::string& place) {
  throw RequestError(place + ": the keys are nested more than " + std::to_string(deepest_document) +
                     " levels deep");
}

/// The place behind a string of TOML that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool is_long = text.substr(at, 3) == std::string(3, quote);
  const std::string end(is_long ? 3 : 1, quote);
  for (at += end.size(); at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text.substr(at, end.size()) == end) {
      return at + end.size();
    } else if (!is_long && text[at] == '\n') {
      return at;  // an error, which the parser reports
    }
  }
  return text.size();
}

/// Refuses keys with too many dots before the parser makes a table of each of them. Dots of numbers
/// in an expression are none of a key: its parts have dots alone between them, perhaps with blanks.
void check_depth_of_keys(std::string_view text, const std::string& name) {
  constexpr std::string_view blanks = " \t", quotes = "\"'";
  std::size_t dots = 0;
  char last = '\0';  // that is no blank
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool is_quote = quotes.find(c) != std::string_view::npos,
               is_part = is_quote || std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                         c == '-',
               is_behind_blank = at > 0 && blanks.find(text[at - 1]) != std::string_view::npos;
    if (c == '.' && ++dots >= deepest_document) {
      const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
      refuse_depth(Place{name, static_cast<std::size_t>(line)}.text());
    }
    const bool is_blank = blanks.find(c) != std::string_view::npos,
               begins_another = is_part && is_behind_blank && last != '.';
    if (begins_another || (!is_part && !is_blank && c != '.')) dots = 0;
    if (!is_blank) last = c;
    if (c == '#') at = std::min(text.find('\n', at), text.size() - 1);
    at = is_quote ? behind_string(text, at) : at + 1;
  }
}

/// Counts of levels and values while a parsed text becomes a document.
struct Conversion {
  const std::string& file;
  std::size_t depth = 0, values = 0;
};

DocumentNode converted(const toml::node& source, Conversion& now, const std::string& key);

DocumentNode::Table converted_table(const toml::table& source, Conversion& now,
                                    const std::string& key) {
  std::vector<std::pair<toml::source_position, DocumentNode::Table::value_type>> entries;
  for (const auto& [name, value] : source) {
    const std::string text(name.str());
    DocumentNode entry = converted(value, now, joined(key, text));
    if (const auto line = name.source().begin.line; line > 0) entry.place.line = line;
    entries.push_back({name.source().begin, {text, std::move(entry)}});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  DocumentNode::Table table;
  for (auto& entry : entries) table.push_back(std::move(entry.second));
  return table;
}

DocumentNode converted(const toml::node& source, Conversion& now, const std::string& key) {
  DocumentNode node{DocumentNode::Table{}, {now.file, source.source().begin.line}, key};
  if (++now.depth > deepest_document) refuse_depth(node.place.text());
  if (++now.values > most_document_values)
    throw RequestError(now.file + ": it has more than " + std::to_string(most_document_values) +
                       " values");
  if (const auto* table = source.as_table()) {
    node.value = converted_table(*table, now, key);
  } else if (const auto* array = source.as_array()) {
    DocumentNode::Array entries;
    for (const toml::node& entry : *array) {
      entries.push_back(converted(entry, now, joined(key, std::to_string(entries.size()))));
    }
    node.value = std::move(entries);
  } else if (const auto* boolean = source.as_boolean()) {
    node.value = boolean->get();
  } else if (const auto* whole = source.as_integer()) {
    node.value = whole->get();
  } else if (const auto* number = source.as_floating_point()) {
    node.value = number->get();
  } else if (const auto* text = source.as_string()) {
    node.value = text->get();
    node.check_text();
  } else {
    node.refuse("is a date or time; a number, a text, true or false, a list or a table is allowed");
  }
  --now.depth;
  return node;
}

std::string written_key(const std::string& name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
  return bare ? name : toml_text(name);
}

std::string toml_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = to_string(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string inline_toml(const DocumentNode& node) {
  if (const auto* text = std::get_if<std::string>(&node.value)) return toml_text(*text);
  if (const auto* boolean = std::get_if<bool>(&node.value)) return *boolean ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&node.value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&node.value)) return toml_number(*number);
  std::string result;
  if (node.is_array()) {
    for (const DocumentNode& entry : node.array())
      result += (result.empty() ? "" : ", ") + inline_toml(entry);
    return "[" + result + "]";
  }
  for (const auto& [name, entry] : node.table()) {
    result += (result.empty() ? "" : ", ") + written_key(name) + " = " + inline_toml(entry);
  }
  return "{ " + result + " }";
}

void write_table(const DocumentNode& node, const std::string& path, std::string& text) {
  for (const auto& [name, entry] : node.table()) {
    if (!entry.is_table()) text += written_key(name) + " = " + inline_toml(entry) + "\n";
  }
  for (const auto& [name, entry] : node.table()) {
    if (!entry.is_table()) continue;
    const std::string inner = joined(path, written_key(name));
    text += "\n[" + inner + "]\n";
    write_table(entry, inner, text);
  }
}

/// The value of a setting: TOML if it can be read as such, else the text itself.
DocumentNode setting_value(const std::string& text, const std::string& argument,
                           const std::string& key) {
  try {
    check_depth_of_keys(text, argument);
    const toml::table table = toml::parse("value = " + text);
    if (table.size() == 1) {
      Conversion now{argument};
      DocumentNode node = converted(*table.get("value"), now, key);
      node.place.line = 0;
      return node;
    }
  } catch (const toml::parse_error&) {
    // Not TOML: a bare word or an expression.
  }
  return DocumentNode{text, {argument, 0}, key};
}

DocumentNode* entry_for_setting(DocumentNode& node, const std::string& part,
                                const std::string& argument) {
  if (node.is_array()) {
    auto& entries = node.array();
    const bool is_index = !part.empty() && part.size() < 7 &&
                          part.find_first_not_of("0123456789") == std::string::npos;
    if (is_index && std::stoul(part) < entries.size()) return &entries[std::stoul(part)];
    // Of one entry alone its number goes without saying.
    if (!is_index && entries.size() == 1) return entry_for_setting(entries[0], part, argument);
    throw RequestError(argument + ": \"" + node.key + "\" is a list of " +
                       std::to_string(entries.size()) +
                       " entries, numbered from 0, and has no entry \"" + part + "\"");
  }
  if (!node.is_table())
    throw RequestError(argument + ": \"" + node.key + "\" is " + node.found() + ", not a table");
  if (DocumentNode* entry = node.find(part)) return entry;
  TableEntry& made = node.table().emplace_back();
  made.first = part;
  made.second.value = DocumentNode::Table{};
  made.second.place.file = argument;
  made.second.key = joined(node.key, part);
  return &made.second;
}

}  // namespace

namespace {

/// A hint where a line has quotes that a text processor has put there.
std::string quotes_of_typesetting(std::string_view text, std::size_t line) {
  std::istringstream lines{std::string(text)};
  std::string here;
  for (std::size_t i = 0; i < line && std::getline(lines, here);) ++i;
  for (const char* quote : {"\u201c", "\u201d", "\u201e", "\u2018", "\u2019"})
    if (here.find(quote) != std::string::npos)
      return "; the line has quotes of typesetting, write \"";
  return "";
}

}  // namespace

DocumentNode parse_document(std::string_view text, const std::string& name) {
  if (text.size() > longest_document)
    throw RequestError(name + ": it is longer than " + std::to_string(longest_document) +
                       " bytes; large tables of numbers belong in a file of CSV");
  check_depth_of_keys(text, name);
  try {
    const toml::table table = toml::parse(text, name);
    Conversion now{name};
    return DocumentNode{converted_table(table, now, ""), {name, 0}, ""};
  } catch (const toml::parse_error& error) {
    const auto where = error.source().begin;
    throw RequestError(Place{name, where.line}.text() + ": not valid TOML at column " +
                       std::to_string(where.column) + ": " + std::string(error.description()) +
                       quotes_of_typesetting(text, where.line));
  }
}

DocumentNode read_document(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw OutputError("cannot read \"" + path.string() + "\": there is no such file");
  try {
    return parse_document(file_text(path, longest_document + 1), path.string());
  } catch (const OutputError&) {
    throw OutputError("cannot read \"" + path.string() + "\": it is no readable file");
  }
}

namespace {

DocumentNode* entry_at(DocumentNode& document, const std::string& key,
                       const std::string& argument) {
  DocumentNode* node = &document;
  if (static_cast<std::size_t>(std::ranges::count(key, '.')) >= deepest_document)
    refuse_depth(argument.substr(0, 40));
  std::istringstream path(key);
  for (std::string part; std::getline(path, part, '.');) {
    if (part.empty()) throw RequestError(argument + ": the key has an empty part");
    node = entry_for_setting(*node, part, argument);
  }
  return node;
}

}  // namespace

void apply_setting(DocumentNode& document, const std::string& setting) {
  const std::string argument = "--set " + setting;
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw RequestError(argument + ": expected key=value, as in --set run.step=0.05");
  }
  DocumentNode* node = entry_at(document, setting.substr(0, equals), argument);
  const std::string key = node->key;
  *node = setting_value(setting.substr(equals + 1), argument, key);
}

DocumentNode value_in_words(const std::string& text, const std::string& source) {
  return setting_value(text, source, source);
}

void set_value(DocumentNode& document, const std::string& key, const DocumentNode& value) {
  DocumentNode* node = entry_at(document, key, value.place.text() + ": key \"" + value.key + "\"");
  const std::string own_key = node->key;
  *node = value;
  node->key = own_key;
}

std::string to_toml(const DocumentNode& document) {
  std::string text;
  write_table(document, "", text);
  return text;
}

}  // namespace dalembert::study
