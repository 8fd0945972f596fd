#pragma once
// Systems on Lie groups from texts in the grammar of problem files.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/group/group.hpp"
#include "support/text_system.hpp"

namespace test_support {

/// "R in SO(3)" is the element R of SO(3), any other text a number.
inline dalembert::Coordinate coordinate_of(const std::string& entry) {
  const std::size_t in = entry.find(" in ");
  if (in == std::string::npos) return {entry};
  return {entry.substr(0, in), false, entry.substr(in + 4)};
}

inline bool on_groups(const TextSystem& text) {
  return std::ranges::any_of(text.coordinates, [](const std::string& entry) {
    return !coordinate_of(entry).group.empty();
  });
}

/// What texts may write of a coordinate: `R[i,j]`, `B_x`, `R_dot[i]` of an element, `x`, `x_dot`.
inline void add_names(const dalembert::Coordinate& coordinate, const dalembert::Symbols& s,
                      dalembert::Scope& scope) {
  const std::string& name = coordinate.name;
  const dalembert::Symbols::Element& element = s.element(name);
  if (coordinate.group.empty()) {
    scope.names[name] = element.variables.front();
    scope.names[name + "_dot"] = element.velocity.front();
    return;
  }
  const auto names = dalembert::Group::named(coordinate.group).variable_names(name);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].find('[') == std::string::npos) scope.names[names[i]] = element.variables[i];
  if (!element.matrix.entries().empty()) scope.matrices.emplace(name, element.matrix);
  scope.arrays.emplace(name + "_dot", element.velocity);
}

/// A system with kinetic and potential energy and constraints on velocities.
inline dalembert::System define_on_groups(const TextSystem& text) {
  using namespace dalembert;
  SystemDescription description;
  description.name = text.name;
  for (const std::string& entry : text.coordinates)
    description.coordinates.push_back(coordinate_of(entry));
  for (const auto& [name, value] : text.parameters)
    description.parameters.push_back({.name = name, .value = value});
  return System::define(std::move(description), [&](const Symbols& s) {
    Scope scope;
    for (const std::string& entry : text.coordinates) add_names(coordinate_of(entry), s, scope);
    for (const auto& [name, symbol] : s.parameters) scope.names[name] = symbol;
    Mechanics m;
    m.kinetic = parse(text.kinetic, scope);
    m.potential = parse(text.potential, scope);
    for (const std::string& constraint : text.constraints)
      m.constraints.push_back(parse(constraint, scope));
    return m;
  });
}

}  // namespace test_support
