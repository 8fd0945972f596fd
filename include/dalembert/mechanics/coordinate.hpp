#pragma once

#include <string>

namespace dalembert {

/// A generalized coordinate, or an element of a Lie group. An angle is kept in [-pi, pi] during a
/// run, with the number of turns beside it; the system must be periodic in it with period 2 pi.
struct Coordinate {
  std::string name;        ///< unique in a system
  bool is_angle = false;   ///< number modulo 2 pi [rad]; unused with a group
  std::string group = {};  ///< "SO(3)", "SE(2)", ...; see Group::named. Empty for a number
};

}  // namespace dalembert
