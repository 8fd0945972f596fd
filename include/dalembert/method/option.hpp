#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace dalembert {

class Method;
struct MethodDefinition;
struct MethodSpec;

/// The value of an option: a number, a word, another method, or a list of words.
using OptionValue =
    std::variant<double, std::string, std::shared_ptr<const MethodSpec>, std::vector<std::string>>;

/// A method by name, with those options that differ from their defaults (or all of them).
struct MethodSpec {
  std::string name;                                 ///< name or alias, as in studies
  std::map<std::string, OptionValue> options = {};  ///< values by the option's name
  /// Definition of a method that is not of the library. Its options are chosen already. Ignored if
  /// the library has a method of that name.
  std::shared_ptr<const MethodDefinition> own = {};
};

/// Declaration of an option; `describe` prints it.
struct OptionInfo {
  std::string name, description;          ///< a word, and one line without a full stop
  OptionValue default_value;              ///< value of the option if none is given
  double min = 0.0, max = 0.0;            ///< range of a number, both ends admissible
  bool whole = false;                     ///< only whole numbers are admissible
  std::vector<std::string> choices = {};  ///< admissible words; none where any text will do
  bool number_or_word = false;            ///< a number is admissible as well as the choices
  bool is_read_apart = false;             ///< by a reader of its own, not into a member
  std::string form = {};  ///< admissible values in words, where they are more than a number or word
};

/// Fault of a value, as the end of a sentence that begins with the option: what was given and what
/// is admissible. Empty if there is none.
std::string option_misfit(const OptionInfo& option, const OptionValue& value);

/// Admissible values in words: "number in [0, 1]", "one of cayley, exponential" or "a text".
std::string option_range(const OptionInfo& option);

/// Throws RequestError with the option and what is wrong, unless the value is admissible for that
/// option of the method.
void check_option(const std::string& method, const OptionInfo& option, const OptionValue& value);

/// The words of an option whose values are an enum, in the order in which they are listed.
template <class Choice>
using Words = std::vector<std::pair<Choice, std::string>>;

/// Type of a number that an option may be: any arithmetic type but bool.
template <class Number>
concept Quantity = std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>;

/// One option of a type, such as that of a method: a member, and its admissible values.
template <class M>
class Option {
 public:
  /// A number in [least, most]; of a whole number's type a whole one.
  template <Quantity Number>
  Option(std::string name, Number M::*member, std::string description,
         std::type_identity_t<Number> least, std::type_identity_t<Number> most)
      : Option(std::move(name), std::move(description)) {
    set_range<Number>(least, most);
    get_ = [member](const M& method) -> OptionValue { return static_cast<double>(method.*member); };
    set_ = [member](M& method, const OptionValue& value) {
      method.*member = static_cast<Number>(std::get<double>(value));
    };
  }
  /// A number in [least, most], or a word, for which the member holds nothing; "" for no word.
  template <Quantity Number>
  Option(std::string name, std::optional<Number> M::*member, std::string description,
         std::type_identity_t<Number> least, std::type_identity_t<Number> most,
         const std::string& word = "auto")
      : Option(std::move(name), std::move(description)) {
    set_range<Number>(least, most);
    info_.number_or_word = true;
    if (!word.empty()) info_.choices = {word};
    get_ = [member, word](const M& method) -> OptionValue {
      const std::optional<Number> number = method.*member;
      return number ? OptionValue(static_cast<double>(*number)) : OptionValue(word);
    };
    set_ = [member](M& method, const OptionValue& value) {
      const double* number = std::get_if<double>(&value);
      method.*member = number ? std::optional(static_cast<Number>(*number)) : std::nullopt;
    };
  }
  /// One of several choices, which have words in files and on the command line.
  template <class Choice>
  requires(std::is_enum_v<Choice>)
      Option(std::string name, Choice M::*member, std::string description, Words<Choice> words)
      : Option(std::move(name), std::move(description)) {
    for (const auto& [choice, word] : words) info_.choices.push_back(word);
    get_ = [member, words](const M& method) -> OptionValue {
      for (const auto& [choice, word] : words) {
        if (choice == method.*member) return word;
      }
      return "value " + std::to_string(static_cast<long long>(method.*member));
    };
    set_ = [member, words](M& method, const OptionValue& value) {
      for (const auto& [choice, word] : words) {
        if (word == std::get<std::string>(value)) method.*member = choice;
      }
    };
  }
  /// Yes or no, or two words in the places of no and yes.
  Option(std::string name, bool M::*member, std::string description, const std::string& no = "no",
         const std::string& yes = "yes")
      : Option(std::move(name), std::move(description)) {
    info_.choices = {no, yes};
    get_ = [member, no, yes](const M& method) -> OptionValue { return method.*member ? yes : no; };
    set_ = [member, yes](M& method, const OptionValue& value) {
      method.*member = std::get<std::string>(value) == yes;
    };
  }
  /// Several texts.
  Option(std::string name, std::vector<std::string> M::*member, std::string description)
      : Option(std::move(name), std::move(description)) {
    get_ = [member](const M& method) -> OptionValue { return method.*member; };
    set_ = [member](M& method, const OptionValue& value) {
      method.*member = std::get<std::vector<std::string>>(value);
    };
  }
  /// Any text: an expression.
  Option(std::string name, std::string M::*member, std::string description)
      : Option(std::move(name), std::move(description)) {
    get_ = [member](const M& method) -> OptionValue { return method.*member; };
    set_ = [member](M& method, const OptionValue& value) {
      method.*member = std::get<std::string>(value);
    };
  }
  /// Another method. Defined in method/page.hpp.
  Option(std::string name, Method M::*member, std::string description);

  /// The declaration, with the default that the type gives to the member.
  OptionInfo info() const {
    static_assert(std::default_initializable<M>, "a method with options needs defaults for them");
    OptionInfo info = info_;
    if (get_) info.default_value = get_(M{});
    return info;
  }
  OptionValue get(const M& method) const { return get_(method); }  ///< value in that method
  /// Gives the option of that method a value, which must be admissible: see check_option.
  void set(M& method, const OptionValue& value) const { set_(method, value); }

 protected:
  Option(std::string name, std::string description) {
    info_.name = std::move(name);
    info_.description = std::move(description);
  }
  template <Quantity Number>
  void set_range(Number least, Number most) {
    info_.min = static_cast<double>(least);
    info_.max = static_cast<double>(most);
    info_.whole = std::is_integral_v<Number>;
  }

  OptionInfo info_;
  std::function<OptionValue(const M&)> get_;
  std::function<void(M&, const OptionValue&)> set_;
};

}  // namespace dalembert
