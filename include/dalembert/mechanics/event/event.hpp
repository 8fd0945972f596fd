#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dalembert/mechanics/event/impact.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Direction in which the function of an event passes zero.
enum class Direction : std::uint8_t { rising, falling, both };

/// The state that an event puts in the place of the one before, as expressions in that.
struct StateChange {
  Vector q = {};  ///< stored numbers, [storage_count]; empty: as they were
  Vector v = {};  ///< [dof]; empty: as they were
};

/// Something that happens to a motion where a function of the state passes zero: it is noted, ends
/// the run, or changes the state. All expressions are in the symbols of the system that the
/// functions are given.
struct Event {
  std::string name = {};                              ///< name in results
  std::function<Expr(const Symbols&)> function = {};  ///< of t, q, v and parameters
  Direction direction = Direction::both;              ///< zero crossings that count
  std::uint64_t stop_after = 0;  ///< number of the event that ends the run; 0: none does
  ContactLaw impact = {};        ///< velocities of contacts, if it is an impact
  /// Of an impact: the run ends with one after which the function changes more slowly than this,
  /// because a body comes to rest in ever shorter bounces. 0: never.
  double rest = 0.0;
  std::function<StateChange(const Symbols&)> change = {};  ///< instead of an impact
  bool project = false;  ///< of a change: bring the new state onto the constraints

  /// True if it changes the state.
  bool acts() const { return impact != nullptr || change != nullptr; }
};

}  // namespace dalembert
