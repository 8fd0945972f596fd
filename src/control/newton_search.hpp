#pragma once
// Stationary controls by Newton's method. Only for the sources of this room.

#include <atomic>
#include <string>

#include "discrete_control.hpp"

namespace dalembert {

/// Where a search ended.
struct SearchResult {
  enum class Status { converged, failed, stopped } status = Status::failed;
  std::string reason = {};  ///< why it failed
  ControlledMotion motion = {};
  double cost = 0.0, residual = 0.0, defect = 0.0;
  std::size_t iterations = 0;
};

/// Newton's method from a motion, which need be none: defects of its steps go to zero with the
/// derivatives of the Lagrangian. Far away parts of its steps change the controls, and the motion
/// follows them; where that ends nowhere, as where motions are unstable, it is Newton's method for
/// the augmented Lagrangian in states and controls at once. A multiple of the identity makes second
/// derivatives positive in both. Near the solution whole steps for the optimality system are taken
/// until they are round-off.
/// Source: [NocedalWright2006], Ch. 17 and 18.
SearchResult newton_search(DiscreteControl& control, ControlledMotion motion,
                           std::size_t iterations, const std::atomic<bool>* cancelled);

}  // namespace dalembert
