#include "dalembert/mechanics/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "mechanics/definition/angle_period.hpp"

namespace dalembert {
namespace {

std::size_t index_of(const System& system, const std::string& name) {
  const std::vector<Parameter>& parameters = system.description().parameters;
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  if (found != parameters.end()) return static_cast<std::size_t>(found - parameters.begin());
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  throw RequestError("\"" + name + "\" is not a parameter of system \"" + system.name() + "\"" +
                     suggestion(name, names));
}

}  // namespace

std::vector<double> parameter_values(const System& system, std::span<const double> given) {
  std::vector<double> values = system.default_parameters();
  if (given.empty()) return values;
  if (given.size() != values.size()) {
    throw RequestError("system \"" + system.name() + "\" has " + std::to_string(values.size()) +
                       " parameters, not " + std::to_string(given.size()));
  }
  values.assign(given.begin(), given.end());
  return values;
}

std::vector<double> named_parameter_values(const System& system, const NamedValues& chosen) {
  std::vector<double> values = system.default_parameters();
  for (const auto& [name, value] : chosen) values[index_of(system, name)] = value;
  check_parameter_ranges(system, values);
  return values;
}

void check_parameter_ranges(const System& system, std::span<const double> parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = system.description().parameters[i];
    if (std::isfinite(parameters[i]) && parameter.admits(parameters[i])) continue;
    throw RequestError("parameter \"" + parameter.name + "\" of system \"" + system.name() +
                       "\" is " + to_string(parameters[i]) + "; it must be " +
                       parameter.range_text());
  }
  // A system is checked for its defaults when it is defined.
  if (!std::ranges::equal(parameters, system.default_parameters()))
    require_periodic(system.description(), system.symbols(), system.mechanics(), parameters);
}

}  // namespace dalembert
