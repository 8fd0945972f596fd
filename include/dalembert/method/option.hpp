#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace dalembert {

struct MethodDefinition;
struct MethodSpec;

/// The value of an option: a number, a word, or another method.
using OptionValue = std::variant<double, std::string, std::shared_ptr<const MethodSpec>>;

/// A method by name, with those options that differ from their defaults (or all of them).
struct MethodSpec {
  std::string name;
  std::map<std::string, OptionValue> options = {};
  /// What a method is that the library does not know by its name. Its options are chosen already.
  std::shared_ptr<const MethodDefinition> own = {};
};

/// How an option is declared; `describe` prints it.
struct OptionInfo {
  std::string name, description;
  OptionValue default_value;
  double min = 0.0, max = 0.0;            ///< of numbers
  bool whole = false;                     ///< of numbers: whole numbers only
  std::vector<std::string> choices = {};  ///< of words; none where any text will do
  bool number_or_word = false;            ///< a number is admissible as well as the choices
};

/// Throws RequestError with the option, what was given and what is admissible, unless the value is
/// one of the option of that method.
void check_option(const std::string& method, const OptionInfo& option, const OptionValue& value);

}  // namespace dalembert
