#pragma once
// The equations of motion as baselines solve them.

#include <optional>

#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/equations.hpp"
#include "dalembert/method/runge_kutta.hpp"

namespace dalembert {

/// The equations of motion as a first-order system x' = f(x) in one of the three sets of
/// coordinates. The rate of the second part of x can be an expression, or an unknown with its own
/// equation.
class FirstOrderSystem {
 public:
  FirstOrderSystem(const System& system, EliminatedCoordinates coordinates, const State& start);

  /// The velocity coordinates at the start of the step, and the velocity that they stand for.
  Vector velocity_coordinates() const;
  /// The rate of the positions: the velocity, or Pi dH in skew-gradient form.
  Vector velocity(const Vector& q, const Vector& y) const;

  /// The rate of the velocity coordinates.
  Vector rate(const Vector& q, const Vector& y, const Expr& t) const;
  /// What vanishes for the right `rate` (and multiplier): the implicit methods' form, without
  /// divisions.
  Vector residual(const Vector& q, const Vector& y, const Expr& t, const Vector& rate,
                  const Vector& lambda) const;
  std::size_t multipliers() const { return frame_ ? 0 : system_.constraint_count(); }

 private:
  /// X^T M X, where M may depend on the velocity.
  Matrix metric(const Vector& q, const Vector& y) const;
  /// sign * X^T (M (X rate + dX[v] y) - forces).
  Vector frame_residual(const Vector& q, const Vector& y, const Expr& t, const Vector& rate,
                        double sign) const;

  System system_;
  State start_;
  std::optional<Frame> frame_;
};

}  // namespace dalembert
