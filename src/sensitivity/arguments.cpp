#include "arguments.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/text/nearest_name.hpp"

namespace dalembert {
namespace {

/// All arguments of a system, those of the variation by every parameter and the step.
struct AllArguments {
  std::vector<std::string> positions, velocities, parameters;

  explicit AllArguments(const System& system) {
    const std::vector<std::string> columns = system.configuration().velocity_columns();
    for (std::string name : columns) {
      const std::size_t dot = name.rfind("_dot");
      positions.push_back(dot == std::string::npos ? name : name.erase(dot, 4));
    }
    if (!system.is_skew_gradient()) velocities = columns;
    for (const Parameter& parameter : system.description().parameters)
      parameters.push_back(parameter.name);
  }

  std::vector<std::string> of_kind(const std::string& kind) const {
    std::vector<std::string> result;
    const auto add = [&](const std::vector<std::string>& names) {
      result.insert(result.end(), names.begin(), names.end());
    };
    if (kind == "positions" || kind == "start") add(positions);
    if (kind == "velocities" || kind == "start") add(velocities);
    if (kind == "parameters") add(parameters);
    return result;
  }
  std::vector<std::string> all() const {
    std::vector<std::string> result = of_kind("start");
    result.insert(result.end(), parameters.begin(), parameters.end());
    return result;
  }
};

std::size_t place_in(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

}  // namespace

std::vector<double> ArgumentDirections::direction(std::size_t j) const {
  std::vector<double> result(direction_size, 0.0);
  result[places[j]] = 1.0;
  return result;
}

ArgumentDirections argument_directions(const System& system,
                                       const std::vector<std::string>& names) {
  const AllArguments arguments(system);
  const std::vector<std::string> all = arguments.all();
  ArgumentDirections result;
  for (const std::string& name : names) {
    const bool is_name = std::ranges::find(all, name) != all.end();
    const std::vector<std::string> kind =
        is_name ? std::vector<std::string>{name} : arguments.of_kind(name);
    const bool is_kind =
        name == "start" || name == "positions" || name == "velocities" || name == "parameters";
    if (kind.empty() && !is_kind && name != "step") {
      std::vector<std::string> known = all;
      known.insert(known.end(), {"step", "start", "positions", "velocities", "parameters"});
      throw RequestError("system \"" + system.name() + "\" cannot be differentiated by \"" + name +
                         "\"" + suggestion(name, known));
    }
    if (name == "step" && !is_name) result.names.push_back(name);
    result.names.insert(result.names.end(), kind.begin(), kind.end());
  }
  if (names.empty()) result.names = all;
  for (std::size_t j = 0; j < result.names.size(); ++j) {
    if (place_in(result.names, result.names[j]) < j)
      throw RequestError("derivatives by \"" + result.names[j] + "\" are asked for twice");
  }
  const std::size_t n = arguments.positions.size(), m = arguments.velocities.size();
  for (const std::string& name : result.names) {
    const std::size_t parameter = place_in(arguments.parameters, name);
    if (parameter < arguments.parameters.size()) result.variation.parameters.push_back(parameter);
    if (name == "step" && parameter == arguments.parameters.size()) result.variation.step = true;
  }
  std::vector<std::string> varied;
  for (const std::size_t parameter : result.variation.parameters)
    varied.push_back(arguments.parameters[parameter]);
  result.direction_size = n + m + varied.size() + (result.variation.step ? 1 : 0);
  for (const std::string& name : result.names) {
    // Coordinates before parameters of the same name.
    std::size_t place = place_in(arguments.positions, name);
    if (place == n) place = n + place_in(arguments.velocities, name);
    if (place == n + m) place = n + m + place_in(varied, name);
    result.places.push_back(place);
  }
  return result;
}

}  // namespace dalembert
