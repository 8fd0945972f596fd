#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dalembert/method/method.hpp"

namespace dalembert {

/// A method that can be chosen by name.
struct MethodEntry {
  std::string name;                       ///< as in studies and on the command line
  std::vector<std::string> aliases = {};  ///< other names in the literature
  std::string title;                      ///< one line
  std::string description;                ///< a paragraph
  std::string source;                     ///< paper and equation, keyed to doc/references.bib
  std::vector<OptionInfo> options;
  std::function<Method(const MethodSpec&)> make;
};

/// All methods of the library, in the order in which `list` shows them.
const std::vector<MethodEntry>& methods();

/// The entry of that name; RequestError with the nearest valid name if there is none.
const MethodEntry& method_entry(const std::string& name);

/// A method from its name and options. Throws RequestError with the name, what was given
/// and what is admissible.
Method make_method(const MethodSpec& spec);

/// A short label such as "dla(alpha=0.4)": the name with the options that differ from their
/// defaults.
std::string label(const MethodSpec& spec);

/// The names of all methods that can be used on a system with their default options.
std::vector<std::string> fitting_methods(const System& system);

}  // namespace dalembert
