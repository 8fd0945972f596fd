#include "method_entries.hpp"

#include <algorithm>
#include <memory>

#include "dalembert/method/library.hpp"
#include "dalembert/study/method_text.hpp"

namespace dalembert::study {
namespace {

/// Whether the option of that method is a method.
bool takes_method(const std::string& method, const std::string& option) {
  for (const MethodEntry& entry : methods()) {
    if (entry.name != method) continue;
    for (const OptionInfo& info : entry.options) {
      if (info.name == option)
        return std::holds_alternative<std::shared_ptr<const MethodSpec>>(info.default_value);
    }
  }
  return false;
}

class MethodReader {
 public:
  explicit MethodReader(const std::vector<Method>& own) : own_(own) {}

  /// A method with options from a table; keys in `others` are no options.
  MethodSpec table(const DocumentNode& node, const std::vector<std::string>& others) const {
    if (!node.is_table())
      node.refuse("must be a table such as { name = \"dla\", alpha = 0.5 }, not " + node.found());
    const DocumentNode* name = node.find("name");
    if (name == nullptr)
      throw RequestError(node.place.text(), "the key \"name\" of a method is missing");
    MethodSpec spec = named(*name);
    for (const auto& [key, value] : node.table()) {
      if (key == "name" || std::find(others.begin(), others.end(), key) != others.end()) continue;
      spec.options[key] = option(spec.name, value, key);
    }
    return spec;
  }

 private:
  /// A method as tables print it, "compose(base=dla01)"; a bare name is taken as it is.
  MethodSpec named(const DocumentNode& node) const {
    const std::string& text = as_text(node);
    if (text.find('(') == std::string::npos) return completed({text});
    try {
      return completed(parse_method(text));
    } catch (const RequestError& error) {
      throw error.at(node.place.text());
    }
  }

  OptionValue option(const std::string& method, const DocumentNode& node,
                     const std::string& key) const {
    if (node.is_table()) return std::make_shared<const MethodSpec>(table(node, {}));
    if (!node.is_text()) return as_number(node);
    if (takes_method(method, key)) return std::make_shared<const MethodSpec>(named(node));
    return as_text(node);
  }

  /// With what the methods are that the library does not know.
  MethodSpec completed(MethodSpec spec) const {
    const auto own = std::ranges::find(own_, spec.name, &Method::name);
    if (own != own_.end()) spec.own = own->spec().own;
    for (auto& [name, value] : spec.options) {
      if (const auto* base = std::get_if<std::shared_ptr<const MethodSpec>>(&value))
        value = std::make_shared<const MethodSpec>(completed(**base));
    }
    return spec;
  }

  const std::vector<Method>& own_;
};

}  // namespace

namespace {

/// The options of a method whole. Refuses a tolerance of its own beside that of the run.
MethodSpec checked(const MethodSpec& given, bool has_tolerance) {
  const Method method = make_method(given);
  if (has_tolerance && method.tolerance() > 0.0 && given.options.contains("tolerance"))
    throw RequestError("method \"" + given.name +
                       "\" controls its error itself, by its option tolerance; give that, with a "
                       "step, or the tolerance of the run, which chooses it");
  return method.spec();
}

}  // namespace

MethodChoice with_own_tolerance(const MethodChoice& choice, double tolerance) {
  if (!(tolerance > 0.0)) return choice;
  MethodChoice chosen = choice;
  const Method method = make_method(choice.spec);
  chosen.spec.options["tolerance"] = tolerance;
  if (const auto absolute = chosen.spec.options.find("absolute");
      absolute != chosen.spec.options.end())
    absolute->second = std::get<double>(absolute->second) * tolerance / method.tolerance();
  chosen.spec = make_method(chosen.spec).spec();
  if (choice.label == label(choice.spec)) chosen.label = label(chosen.spec);
  return chosen;
}

std::vector<MethodChoice> read_methods(const DocumentNode& document,
                                       const std::vector<Method>& own_methods, bool has_tolerance) {
  const MethodReader reader(own_methods);
  const DocumentNode* node = document.find("method");
  std::vector<MethodChoice> choices;
  for (const DocumentNode& entry : node == nullptr ? std::vector<DocumentNode>{} : as_list(*node)) {
    MethodChoice choice{reader.table(entry, {"label"}), "", entry.place};
    try {
      choice.spec = checked(choice.spec, has_tolerance);
    } catch (const RequestError& error) {
      throw error.at(entry.place.text());
    }
    const DocumentNode* given = entry.find("label");
    choice.label = given != nullptr ? as_text(*given) : label(choice.spec);
    choices.push_back(std::move(choice));
  }
  if (choices.empty()) {
    throw RequestError(document.place.text() +
                       ": a study needs at least one table [[method]] with a name");
  }
  return choices;
}

}  // namespace dalembert::study
