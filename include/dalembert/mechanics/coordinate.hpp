#pragma once

#include <string>

namespace dalembert {

/// A generalized coordinate. An angle is kept in [-pi, pi] during a run, with the number of turns
/// beside it; the system must be periodic in it with period 2 pi.
struct Coordinate {
  std::string name;
  bool is_angle = false;
};

}  // namespace dalembert
