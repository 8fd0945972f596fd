#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Values of parameters by name.
using NamedValues = std::map<std::string, double>;

/// Parameters of a system in the order of its description: the defaults if `given` is empty.
/// RequestError, with both numbers, if there are too few or too many.
std::vector<double> parameter_values(const System& system, std::span<const double> given = {});
/// The defaults with some replaced, in the order of the description. RequestError, with the nearest
/// name, for a name that is no parameter, and for a value outside the range.
std::vector<double> named_parameter_values(const System& system, const NamedValues& chosen);
/// RequestError, with the range, if one is not finite or outside its range, and where the equations
/// are not periodic in an angle for these values.
void check_parameter_ranges(const System& system, std::span<const double> parameters);

}  // namespace dalembert
