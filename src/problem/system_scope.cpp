#include "dalembert/problem/system_scope.hpp"

#include <string>
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
