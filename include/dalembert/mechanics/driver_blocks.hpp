#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// The parts of a system whose constraints A(w) x' = 0 are set by one part of it, the drivers w
/// (and time, perhaps), and act on the other, the passengers x, while the mass is constant, has no
/// entries between the two and is diagonal in w. The potential may contain both. Nonholonomically
/// coupled systems are of this kind: [ModinVerdier2020], Def. 2.1.
struct DriverBlocks {
  /// Indices of coordinates: passengers are those whose velocities the constraints contain.
  std::vector<std::size_t> drivers, passengers;
  bool potential_splits = false;  ///< V(w, x) = W(w) + U(x): drivers feel nothing of passengers

  /// Reason for which a system has no such parts, a clause that follows "it"; nothing if it has
  /// them.
  static std::optional<std::string> misfit(const System& system);
  /// RequestError, with the reason, for a system without such parts.
  static DriverBlocks of(const System& system);

  /// Entries of the drivers in a list for all coordinates, in their order.
  Vector of_drivers(const Vector& all) const;
  /// Entries of the passengers in a list for all coordinates, in their order.
  Vector of_passengers(const Vector& all) const;
  /// A list for all coordinates from those of both.
  Vector joined(const Vector& drivers_part, const Vector& passengers_part) const;
};

}  // namespace dalembert
