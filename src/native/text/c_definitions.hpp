#pragma once
// From the arithmetic's own text to C for one double or for packs.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "number_form.hpp"

namespace dalembert {

/// Calls `word(text)` for each word of C in a text and puts what it returns in its place; numbers
/// and comments stay.
std::string replace_words(const std::string& text,
                          const std::function<std::string(const std::string&)>& word);

/// The definitions of the arithmetic in C, all names beginning with a prefix.
class CDefinitions {
 public:
  explicit CDefinitions(std::string prefix, const NumberForm& form = {});

  /// The types of packs, which stand before everything else; nothing for doubles.
  std::string types() const;
  /// A text that uses the names of the arithmetic and its types (Number, Mask) as plain C: with
  /// double in their place where numbers are doubles, and the prefix, also for PREFIX_ in names.
  std::string in_c(const std::string& text) const;
  /// The definitions that a text (before `in_c`) needs, in C, one after the other.
  std::string needed_by(const std::string& text) const;

 private:
  struct Definition {
    std::string comment, text;
    std::vector<std::string> names;
    std::set<std::string> uses;
  };

  /// `as`: what numbers are in it.
  static Definition definition(const std::string& paragraph, const NumberForm& as);
  /// What is inlined and unrolled for the size of a system, once more as plain loops for any size.
  void add_loops();

  std::string prefix_;
  NumberForm form_;
  std::map<std::string, std::string> words_;
  std::vector<Definition> definitions_;
  std::set<std::string> names_;
};

}  // namespace dalembert
