#include "multiplier_names.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "dalembert/mechanics/system_error.hpp"
#include "mechanics/system_data.hpp"
#include "symbol_names.hpp"

namespace dalembert {
namespace {

std::string default_multiplier_name(std::size_t index) {
  return "lambda_" + std::to_string(index + 1);
}

/// Whether it reads as the number of a multiplier.
bool is_default_form(std::string_view name) {
  constexpr std::string_view beginning = "lambda_";
  return name.starts_with(beginning) && name.size() > beginning.size() &&
         std::isdigit(static_cast<unsigned char>(name[beginning.size()])) != 0;
}

/// The columns of results that are no part of the state, and what stands for time.
bool is_reserved(std::string_view name) {
  constexpr std::string_view words[] = {"t", "h", "step", "energy", "constraint", "lambda", "pi"};
  return std::ranges::find(words, name) != std::end(words);
}

/// What else has the name, in words; "" if nothing has.
std::string other_owner(const std::string& name, const SystemDescription& description,
                        const Configuration& configuration, const Mechanics& mechanics) {
  const auto has = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (is_reserved(name)) return "a word with a meaning of its own";
  if (std::ranges::count(description.parameters, name, &Parameter::name) > 0) return "a parameter";
  for (const Coordinate& coordinate : description.coordinates) {
    if (name == coordinate.name) return "a coordinate";
    if (name == coordinate.name + "_dot") return "a velocity";
    if (name == coordinate.name + "_ddot") return "an acceleration";
  }
  if (has(configuration.variable_names()) ||
      std::ranges::count(configuration.storage(), name, &Coordinate::name) > 0)
    return "a coordinate";
  if (has(configuration.velocity_names()) || has(configuration.velocity_columns()))
    return "a velocity";
  for (const auto& [integral, value] : mechanics.integrals)
    if (integral == name) return "an integral";
  return "";
}

}  // namespace

void check_multiplier_names(const SystemDescription& description,
                            const Configuration& configuration, const Mechanics& mechanics) {
  const std::vector<std::string>& names = description.multiplier_names;
  if (names.empty()) return;
  const auto refuse = [&](const std::string& what) {
    throw SystemError(SystemPart::constraints, "system \"" + description.name + "\": " + what);
  };
  const std::size_t count = mechanics.constraints.size() + mechanics.holonomic.size();
  if (names.size() != count) {
    refuse("there are " + std::to_string(names.size()) + " names of multipliers for " +
           std::to_string(count) + " constraints; give one for each, \"\" for lambda_i");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& name = names[i];
    if (name.empty() || name == default_multiplier_name(i)) continue;
    const std::string which =
        "the name \"" + name + "\" of the multiplier of constraint " + std::to_string(i + 1);
    if (!is_identifier(name))
      refuse(which + " is no name; a name is a letter followed by letters, digits and underscores");
    if (is_default_form(name))
      refuse(which + " is that of another multiplier; this one is " + default_multiplier_name(i) +
             ", or has a name of its own");
    const auto before = names.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(names.begin(), before, name) != before)
      refuse(which + " is that of another multiplier; choose another");
    const std::string owner = other_owner(name, description, configuration, mechanics);
    if (!owner.empty()) refuse(which + " is also that of " + owner + "; choose another");
  }
}

void check_column_names(const SystemDescription& description, const Configuration& configuration,
                        const Mechanics& mechanics) {
  const std::string which = "system \"" + description.name + "\": ";
  for (const Coordinate& coordinate : description.coordinates) {
    if (coordinate.name == "energy" || coordinate.name == "constraint") {
      throw SystemError(SystemPart::coordinates,
                        which + "a coordinate cannot be named \"" + coordinate.name +
                            "\", as a column of every result is; choose another name");
    }
  }
  Mechanics before = mechanics;
  before.integrals.clear();
  for (const auto& [name, integral] : mechanics.integrals) {
    const std::string owner = other_owner(name, description, configuration, before);
    const bool is_column = is_reserved(name)
                               ? name == "t" || name == "energy" || name == "constraint"
                               : owner != "a parameter" && owner != "an acceleration";
    if (!owner.empty() && is_column) {
      throw RequestError(which + "the name \"" + name + "\" of an integral is also that of " +
                         owner + "; choose another");
    }
    if (!is_identifier(name)) {
      throw RequestError(which + "the name \"" + name +
                         "\" of an integral is no name; a name is a letter followed by letters, "
                         "digits and underscores");
    }
    before.integrals.emplace_back(name, integral);
  }
}

std::vector<std::string> System::multiplier_names() const {
  std::vector<std::string> names = description().multiplier_names;
  names.resize(constraint_count());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty()) names[i] = default_multiplier_name(i);
  return names;
}

}  // namespace dalembert
