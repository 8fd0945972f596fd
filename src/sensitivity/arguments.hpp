#pragma once
// The names of what runs are differentiated by. Only for the sources of this room.

#include <string>
#include <vector>

#include "dalembert/sensitivity/variation.hpp"

namespace dalembert {

/// Arguments as directions of a StartTangent.
struct ArgumentDirections {
  Variation variation;
  std::vector<std::string> names;
  std::vector<std::size_t> places;  ///< in a direction: position, velocity, parameters, step
  std::size_t direction_size = 0;

  /// The direction of argument j, one in its place.
  std::vector<double> direction(std::size_t j) const;
};

/// RequestError, with the nearest name, for names that the system does not have.
ArgumentDirections argument_directions(const System& system, const std::vector<std::string>& names);

}  // namespace dalembert
