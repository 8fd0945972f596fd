#include "dalembert/problem/system_scope.hpp"

#include <cctype>
#include <string>
#include <variant>
#include <vector>

namespace dalembert::study {
namespace {

/// The variables of an element: its matrix by two indices, the others by name.
void add_variables(const Configuration::Factor& factor, const Symbols::Element& element,
                   Scope& scope) {
  if (!element.matrix.entries().empty()) scope.matrices.emplace(factor.name, element.matrix);
  const std::vector<std::string> names = factor.group.variable_names(factor.name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].find('[') == std::string::npos)
      scope.names.emplace(names[i], element.variables[i]);
  }
}

void add_velocity(const Configuration::Factor& factor, const Symbols::Element& element,
                  Scope& scope) {
  if (factor.group.is_flat()) {
    scope.names.emplace(factor.name + "_dot", element.velocity.front());
  } else {
    scope.arrays.emplace(factor.name + "_dot", element.velocity);
  }
}

}  // namespace

bool mentions_reactions(const DocumentNode& expression, const ProblemFile& problem) {
  if (!expression.is_text()) return false;
  const std::string& text = std::get<std::string>(expression.value);
  const auto is_part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && is_part_of_name(text[i])) {
      word += text[i];
      continue;
    }
    if (word.starts_with("lambda_") || word.ends_with("_ddot") ||
        may_name_multiplier(word, problem))
      return true;
    word.clear();
  }
  return false;
}

void add_accelerations(const System& system, const Vector& acceleration, Scope& scope) {
  if (system.traits().has_groups) return;
  const auto& coordinates = system.description().coordinates;
  for (std::size_t i = 0; i < acceleration.size(); ++i)
    scope.names.emplace(coordinates[i].name + "_ddot", acceleration[i]);
}

void add_reactions(const System& system, const Symbols& symbols,
                   const std::function<std::string(std::size_t)>& multiplier_name, Scope& scope) {
  if (system.is_skew_gradient()) return;
  const auto [acceleration, lambda] = system.eliminated(symbols.q, symbols.v, symbols.t);
  for (std::size_t i = 0; i < lambda.size(); ++i)
    scope.names.emplace(multiplier_name(i), lambda[i]);
  add_accelerations(system, acceleration, scope);
}

Scope position_scope(const Configuration& configuration, const Symbols& symbols) {
  Scope scope;
  for (const auto& [name, symbol] : symbols.parameters) scope.names.emplace(name, symbol);
  for (const Configuration::Factor& factor : configuration.factors())
    add_variables(factor, symbols.element(factor.name), scope);
  return scope;
}

Scope motion_scope(const Configuration& configuration, const Symbols& symbols) {
  Scope scope = position_scope(configuration, symbols);
  scope.names.emplace("t", symbols.t);
  if (symbols.v.empty()) return scope;  // a skew-gradient form has no velocities
  for (const Configuration::Factor& factor : configuration.factors())
    add_velocity(factor, symbols.element(factor.name), scope);
  return scope;
}

}  // namespace dalembert::study
