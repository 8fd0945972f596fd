#pragma once
// Tables of studies as pages: keys with ranges, defaults and sentences as data, from which follow
// the reader with its complaints, the options of the command line with completion and manual, the
// arguments of Python, and the tables of keys in the documents.

#include <map>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/method/option.hpp"

namespace dalembert::study {

/// A table of a study: its name, its purpose, and its keys.
struct PageInfo {
  std::string name;              ///< as in a study
  std::string title;             ///< one line without a full stop
  std::vector<OptionInfo> keys;  ///< with ranges, defaults and sentences
  bool has_own_reader = false;   ///< true if some values are more than numbers and words
};

/// True if the values of a key are lists of texts.
bool is_list(const OptionInfo& key);
/// True if they are yes and no, true and false in files.
bool is_yes_or_no(const OptionInfo& key);

/// The values that a table gives, by key; none where there is no table. RequestError, with the
/// place, for a key that the page does not have and for a value that is not admissible.
std::map<std::string, OptionValue> read_values(const PageInfo& page, const DocumentNode* table);
/// The values of a page from a table that has other keys, too; who reads these finishes it.
std::map<std::string, OptionValue> read_values(const PageInfo& page, TableReader& table);

/// The page of a table that is read into a T, whose members have the defaults.
template <class T>
struct Page {
  std::string name, title;      ///< as of PageInfo
  std::vector<Option<T>> keys;  ///< members of T with their ranges and sentences

  /// The page without its members of T.
  PageInfo info() const {
    PageInfo info{name, title, {}};
    for (const Option<T>& key : keys) info.keys.push_back(key.info());
    return info;
  }
  /// The T that a table describes; the defaults where there is none. RequestError as read_values.
  T read(const DocumentNode* table) const {
    T result;
    take(result, read_values(info(), table));
    return result;
  }
  /// The keys of the page from a table that has others, too.
  void read(TableReader& table, T& result) const { take(result, read_values(info(), table)); }

 private:
  void take(T& result, const std::map<std::string, OptionValue>& values) const {
    for (const Option<T>& key : keys)
      if (const auto given = values.find(key.info().name); given != values.end())
        key.set(result, given->second);
  }
};

}  // namespace dalembert::study
