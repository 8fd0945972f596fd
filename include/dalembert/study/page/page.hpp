#pragma once
// Tables of studies as pages: keys with ranges, defaults and sentences as data, from which follow
// the reader with its complaints, the options of the command line with completion and manual, the
// arguments of Python, and the tables of keys in the documents.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/method/option.hpp"

namespace dalembert::study {

/// A table of a study: its name, its purpose, and its keys.
struct PageInfo {
  std::string name;              ///< as in a study
  std::string title;             ///< one line without a full stop
  std::vector<OptionInfo> keys;  ///< with ranges, defaults and sentences

  /// One of the keys, which there must be.
  const OptionInfo& key(const std::string& key_name) const;
  /// True if some values are more than numbers and words.
  bool has_own_reader() const;
};

/// True if the values of a key are lists of texts.
bool is_list(const OptionInfo& key);
/// True if a number is admissible, alone or beside words.
bool takes_numbers(const OptionInfo& key);
/// True if they are yes and no, true and false in files.
bool is_yes_or_no(const OptionInfo& key);

/// The values that a table gives, by key; none where there is no table. RequestError, with the
/// place, for a key that the page does not have and for a value that is not admissible.
std::map<std::string, OptionValue> read_values(const PageInfo& page, const DocumentNode* table);
/// The values of a page, but for keys that are read apart, from a table that may have others, too;
/// who reads these finishes it.
std::map<std::string, OptionValue> read_values(const PageInfo& page, TableReader& table);

/// A key of a table that is read into a T: an option, or one of the kinds that only tables have.
template <class T>
class Key : public Option<T> {
 public:
  using Option<T>::Option;
  /// A number or an expression of numbers, or nothing.
  Key(std::string name, std::optional<double> T::*member, std::string description)
      : Option<T>(std::move(name), member, std::move(description), 0.0, 0.0, "") {
    this->info_.form = "a number or an expression";
  }
  /// Yes or no, or nothing, which `usual` stands for: "yes", "no" or, where it depends, "".
  Key(std::string name, std::optional<bool> T::*member, std::string description,
      const std::string& usual)
      : Option<T>(std::move(name), std::move(description)) {
    this->info_.choices = {"no", "yes"};
    this->get_ = [member, usual](const T& all) -> OptionValue {
      return all.*member ? (*(all.*member) ? "yes" : "no") : usual;
    };
    this->set_ = [member](T& all, const OptionValue& value) {
      all.*member = std::get<std::string>(value) == "yes";
    };
  }
  /// A text, or nothing.
  Key(std::string name, std::optional<std::string> T::*member, std::string description)
      : Option<T>(std::move(name), std::move(description)) {
    this->get_ = [member](const T& all) -> OptionValue { return (all.*member).value_or(""); };
    this->set_ = [member](T& all, const OptionValue& value) {
      all.*member = std::get<std::string>(value);
    };
  }
  /// A value that no member holds: whoever reads the others reads it, too.
  Key(std::string name, std::string description, const std::string& form,
      const OptionValue& default_value = "", const std::vector<std::string>& choices = {})
      : Option<T>(std::move(name), std::move(description)) {
    this->info_.form = form;
    this->info_.whole = form.starts_with("a whole number");
    this->info_.default_value = default_value;
    this->info_.choices = choices;
    this->info_.is_read_apart = true;
  }
};

/// The page of a table that is read into a T, whose members have the defaults.
template <class T>
struct Page {
  std::string name, title;   ///< as of PageInfo
  std::vector<Key<T>> keys;  ///< members of T with their ranges and sentences

  /// The page without its members of T.
  PageInfo info() const {
    PageInfo info{name, title, {}};
    for (const Key<T>& key : keys) info.keys.push_back(key.info());
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
    for (const Key<T>& key : keys)
      if (const auto given = values.find(key.info().name); given != values.end())
        key.set(result, given->second);
  }
};

}  // namespace dalembert::study
