#pragma once
// Systems from texts in the grammar of problem files.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/system.hpp"

namespace test_support {

/// A system as texts. The velocity of a coordinate x is x_dot.
struct TextSystem {
  std::string name;
  std::vector<std::string> coordinates;
  std::string kinetic, potential;
  std::string lagrangian = {};  ///< instead of kinetic and potential, if not empty
  std::vector<std::string> constraints = {};
  std::vector<std::string> holonomic = {};
  std::vector<std::pair<std::string, double>> parameters = {};
  std::vector<std::vector<std::string>> frame = {};
  std::vector<std::string> force = {};
  std::vector<std::string> angles = {};
  std::optional<std::vector<double>> reversal = {};
};

/// A particle of unit mass without forces, to be completed.
inline TextSystem particle_in_plane(std::string name) {
  return {std::move(name), {"x", "y"}, "(x_dot^2 + y_dot^2)/2", "0"};
}
inline TextSystem particle_in_space(std::string name) {
  return {std::move(name), {"x", "y", "z"}, "(x_dot^2 + y_dot^2 + z_dot^2)/2", "0"};
}

inline dalembert::System define(const TextSystem& text) {
  using namespace dalembert;
  SystemDescription description;
  description.name = text.name;
  for (const std::string& name : text.coordinates) {
    bool is_angle = false;
    for (const std::string& angle : text.angles) is_angle = is_angle || angle == name;
    description.coordinates.push_back({name, is_angle});
  }
  for (const auto& [name, value] : text.parameters) {
    Parameter parameter;
    parameter.name = name;
    parameter.value = value;
    description.parameters.push_back(parameter);
  }
  return System::define(std::move(description), [&](const Symbols& s) {
    Scope scope;
    for (std::size_t i = 0; i < text.coordinates.size(); ++i) {
      scope.names[text.coordinates[i]] = s.q[i];
      scope.names[text.coordinates[i] + "_dot"] = s.v[i];
    }
    scope.names["t"] = s.t;
    for (const auto& [name, symbol] : s.parameters) scope.names[name] = symbol;
    Mechanics m;
    if (!text.lagrangian.empty()) {
      m.lagrangian = parse(text.lagrangian, scope);
    } else {
      m.kinetic = parse(text.kinetic, scope);
      m.potential = parse(text.potential, scope);
    }
    for (const std::string& constraint : text.constraints)
      m.constraints.push_back(parse(constraint, scope));
    for (const std::string& constraint : text.holonomic)
      m.holonomic.push_back(parse(constraint, scope));
    for (const std::string& entry : text.force) m.force.push_back(parse(entry, scope));
    for (const auto& field : text.frame) {
      m.frame.emplace_back();
      for (const std::string& entry : field) m.frame.back().push_back(parse(entry, scope));
    }
    m.reversal = text.reversal;
    return m;
  });
}

/// A skate on a slope, as in the problem of this name: no springs.
inline dalembert::System knife_edge() {
  TextSystem text;
  text.name = "knife-edge";
  text.coordinates = {"x1", "x2", "xi"};
  text.kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2";
  text.potential = "-x1";
  text.constraints = {"-sin(xi)*x1_dot + cos(xi)*x2_dot"};
  text.angles = {"xi"};
  return define(text);
}

}  // namespace test_support
