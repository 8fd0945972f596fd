#include "dalembert/problem/constraint_names.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/elementary_functions.hpp"

namespace dalembert::study {
namespace {

bool is_function(std::string_view name) {
  constexpr std::string_view words[] = {
#define DALEMBERT_ROW(name, ...) #name,
      DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
          "atan2",
      "sinc_root",
      "sum",
      "each",
      "cross",
      "dot",
      "norm",
      "rotate"};
  return std::ranges::find(words, name) != std::end(words);
}

/// "ground_12" after "ground".
bool is_numbered(std::string_view word, std::string_view name) {
  if (!word.starts_with(name)) return false;
  const std::string_view rest = word.substr(name.size());
  return rest.size() > 1 && rest.front() == '_' &&
         std::ranges::all_of(rest.substr(1), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

void check_constraint_name(const ProblemFile& problem, const DocumentNode& node,
                           const std::string& name, const Scope& scope) {
  const auto is_defined = std::ranges::any_of(
      problem.definitions, [&](const auto& entry) { return entry.first == name; });
  const char* owner = is_defined                      ? "a definition"
                      : is_function(name)             ? "a function"
                      : scope.sizes.contains(name)    ? "a size"
                      : scope.arrays.contains(name)   ? "an array"
                      : scope.matrices.contains(name) ? "a matrix"
                      : scope.vectors.contains(name)  ? "a vector"
                                                      : nullptr;
  if (owner != nullptr)
    node.refuse("is \"" + name + "\", which is the name of " + owner + "; choose another");
}

bool may_name_multiplier(const std::string& word, const ProblemFile& problem) {
  if (problem.system) {
    const std::vector<std::string> names = problem.system->multiplier_names();
    return std::ranges::find(names, word) != names.end();
  }
  const auto is_other = [&](const auto& entry) { return entry.first == word; };
  if (std::ranges::any_of(problem.definitions, is_other) ||
      std::ranges::any_of(problem.integrals, is_other) ||
      std::ranges::count(problem.parameters, word, &Parameter::name) > 0 ||
      std::ranges::count(problem.coordinates, word, &CoordinateEntry::name) > 0)
    return false;
  for (const auto* entries : {&problem.constraints, &problem.holonomic}) {
    for (const ConstraintEntry& entry : *entries)
      if (!entry.name.empty() && (word == entry.name || is_numbered(word, entry.name))) return true;
  }
  for (const DocumentNode& contact : problem.space.contacts) {
    const DocumentNode* name = contact.find("name");
    if (name != nullptr && is_numbered(word, as_text(*name))) return true;
  }
  return !problem.space.joints.empty() && is_numbered(word, "joint");
}

}  // namespace dalembert::study
