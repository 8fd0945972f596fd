#pragma once

#include "dalembert/mechanics/system.hpp"

namespace dalembert::study {

/// Derivatives along a motion of what depends on positions and time.
class Motion {
 public:
  Motion(const Configuration& configuration, const Symbols& symbols);

  /// d/dt of each entry. Expressions must not contain velocities.
  Vector rate(const Vector& entries) const;
  Expr rate(const Expr& expression) const { return rate(Vector{expression}).front(); }
  /// Whether any of the entries contains a velocity.
  bool has_velocity(const Vector& entries) const;

 private:
  Vector variables_, direction_, velocities_;
};

}  // namespace dalembert::study
