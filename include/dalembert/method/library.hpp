#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// A method that can be chosen by name.
struct MethodEntry {
  std::string name;                 ///< name in studies and on the command line
  std::vector<Alias> aliases = {};  ///< other names in the literature
  std::string title;                ///< one line
  Usage use;                        ///< advice on when to use it, and when not
  std::string description;          ///< a paragraph
  std::string source;               ///< paper and equation, keyed to doc/references.bib
  std::vector<OptionInfo> options;  ///< declarations of all options
  /// Makes the method with the options of a spec; the name in it is for messages alone. Throws
  /// RequestError for an unknown option, a value that is not admissible, and options that do not go
  /// together.
  std::function<Method(const MethodSpec&)> make;

  /// Paragraphs that a page begins with: when to use it, when not, and what it is.
  std::vector<std::string> introduction() const;
};

/// Throws RequestError unless every given option is one of the method's, with an admissible value.
void check_options(const MethodSpec& spec, const std::vector<OptionInfo>& options);

/// The entry of a type, from its page.
template <MethodType M>
MethodEntry method_type() {
  const MethodPage<M> page = M::page();
  MethodEntry entry{page.name,        page.aliases, page.title, page.use,
                    page.description, page.source,  {},         {}};
  for (const Option<M>& option : page.options) entry.options.push_back(option.info());
  entry.make = [page, options = entry.options](const MethodSpec& spec) {
    check_options(spec, options);
    M method;
    for (const Option<M>& option : page.options) {
      const auto given = spec.options.find(option.info().name);
      if (given != spec.options.end()) option.set(method, given->second);
    }
    return Method(method);
  };
  return entry;
}

/// The entries of several types.
template <MethodType... Types>
std::vector<MethodEntry> method_types() {
  return {method_type<Types>()...};
}

/// All methods of the library, in the order in which `list` shows them.
const std::vector<MethodEntry>& methods();

/// The entry of that name or alias; nullptr if there is none.
const MethodEntry* find_method(const std::string& name);

/// The entry of that name or alias; RequestError with the nearest valid name if there is none.
const MethodEntry& method_entry(const std::string& name);

/// The value of an option in text, as in files and labels.
std::string option_text(const OptionValue& value);

/// A short label such as "dla(alpha=0.4)": the name with the options that differ from their
/// defaults.
std::string label(const MethodSpec& spec);

/// The names of all methods that can be used on a system with their default options.
std::vector<std::string> fitting_methods(const System& system);

}  // namespace dalembert
