#pragma once
// Drivers and passengers of a system, their constraints and slopes, as expressions of a state. Only
// for the sources of this room.

#include "dalembert/mechanics/driver_blocks.hpp"
#include "dalembert/method/equations.hpp"
#include "method/splitting/normal_frames.hpp"

namespace dalembert {

/// What the splittings of systems with drivers w and passengers x have in common.
class DriverGeometry {
 public:
  /// `reference`: positions, in the graph of the step.
  DriverGeometry(const System& system, const Vector& reference);

  const DriverBlocks& blocks() const { return blocks_; }

 protected:
  struct Parts {
    Vector w, x, w_dot, x_dot;
  };
  Parts parts(const State& state) const;
  State state(const Parts& parts, const State& before) const;
  Matrix constraint(const Parts& parts, const Expr& t) const;
  /// N(w): orthonormal in the metric of the mass, normal to the admissible x'.
  Matrix normals(const Parts& parts, const Expr& t) const;
  /// x' where the drivers have moved from one place to another: turned as the normals are.
  Vector carried(const Parts& from, const Expr& t_from, const Parts& to, const Expr& t_to,
                 const Vector& x_dot) const;
  Expr potential(const Parts& parts) const;
  Vector slope_in_drivers(const Parts& parts) const;
  Vector slope_in_passengers(const Parts& parts) const;
  /// The direction of all admissible x', if there is one alone and it has a simple form.
  Vector direction(const Parts& parts, const Expr& t) const;

  const System& system() const { return system_; }
  /// Of the passengers.
  const Matrix& mass() const { return mass_; }
  /// The diagonal.
  const Vector& driver_mass() const { return driver_mass_; }

 private:
  System system_;
  DriverBlocks blocks_;
  Matrix mass_;
  Vector driver_mass_;
};

}  // namespace dalembert
