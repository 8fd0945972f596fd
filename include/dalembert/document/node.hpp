#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dalembert/error.hpp"

namespace dalembert::study {

/// Place of something: a file (or the command line argument that set it) and a line, 0 if it has
/// none.
struct Place {
  std::string file;      ///< path, option or other source
  std::size_t line = 0;  ///< from 1; 0 without one

  /// "file:line", or "file" without a line.
  std::string text() const;
};

struct TableEntry;

/// Largest number of levels of tables and lists in a document, wherever it comes from: functions
/// that walk through it call themselves.
inline constexpr std::size_t deepest_document = 200;
/// Largest number of its values.
inline constexpr std::size_t most_document_values = 2'000'000;

/// A value of a TOML document, with its place and its dotted key, so that every complaint can name
/// them.
struct DocumentNode {
  using Array = std::vector<DocumentNode>;
  using Table = std::vector<TableEntry>;  ///< in the order of the file

  std::variant<Table, Array, bool, std::int64_t, double, std::string> value;  ///< as read
  Place place = {};                                                           ///< of the value
  std::string key = {};  ///< dotted; "" if it has none

  bool is_table() const { return std::holds_alternative<Table>(value); }       ///< true of a table
  bool is_array() const { return std::holds_alternative<Array>(value); }       ///< true of a list
  bool is_text() const { return std::holds_alternative<std::string>(value); }  ///< true of a text
  /// True of a number, whole or not.
  bool is_number() const {
    return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
  }
  /// The entries of a table, or of a list; RequestError where it is no table, or no list.
  const Table& table() const;
  Table& table();              ///< table, to be changed
  const Array& array() const;  ///< entries of a list
  Array& array();              ///< list, to be changed

  /// The entry of a table with that key, or nullptr; RequestError where it is no table.
  const DocumentNode* find(std::string_view name) const;
  DocumentNode* find(std::string_view name);  ///< entry, to be changed
  /// The value in words for a message: `the text "x"`, `0.5`, `a list`.
  std::string found() const;
  /// Throws RequestError "place: key "...": problem".
  [[noreturn]] void refuse(const std::string& problem) const;
  /// RequestError for a text with control characters, which a terminal would obey.
  void check_text() const;
};

/// A key of a table and its value.
struct TableEntry {
  std::string first;    ///< key
  DocumentNode second;  ///< value
};

// What a node must be; RequestError otherwise.
const std::string& as_text(const DocumentNode& node);  ///< a text
bool as_boolean(const DocumentNode& node);             ///< true or false
/// A finite number.
double as_number(const DocumentNode& node);
/// A whole number in [min, max].
std::int64_t as_whole(const DocumentNode& node, std::int64_t min, std::int64_t max);
/// The entries of a list; a single value counts as a list of one.
std::vector<DocumentNode> as_list(const DocumentNode& node);

/// True if a text can be part of the names of files and of groups in them: some characters, none of
/// them / or \\ or a control character, and no dot to begin with.
bool is_name_for_files(const std::string& text);
/// Message for a text that is no valid name for files.
inline constexpr const char* name_for_files_rule =
    "must be a name for files: some characters, none of them / or \\, and no dot to begin with";

/// Reads the keys of one table and complains about those that nobody asked for.
class TableReader {
 public:
  /// RequestError if the node is not a table.
  explicit TableReader(const DocumentNode& node);

  /// The table that is read.
  const DocumentNode& node() const { return node_; }
  /// The value at a key, or nullptr. The key counts as known from now on.
  const DocumentNode* find(const std::string& key);
  /// The value at a key; RequestError if there is none.
  const DocumentNode& require(const std::string& key);
  /// The entries of the table at a key, none if it is not there; RequestError if it is no table.
  const DocumentNode::Table& entries(const std::string& key);
  /// The text at a key, or `otherwise`.
  std::string text(const std::string& key, const std::string& otherwise = "");
  /// RequestError for the first key that was never asked for, with the nearest known one.
  void finish() const;

 private:
  const DocumentNode& node_;
  std::vector<std::string> known_;
};

}  // namespace dalembert::study
