#pragma once
// What methods that keep an energy on D* share. Only for the sources of this room.

#include <cstddef>
#include <optional>

#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The option `frame`: its sentence and its words.
inline constexpr const char* frame_sentence =
    "basis of the constraint distribution. sparse: null vectors of one constraint after the other, "
    "with few terms; qr: orthonormal; adapted: some velocities free, the others given by the "
    "constraints everywhere; given: that of the problem; automatic: qr where the mass is a "
    "multiple of the identity and on Lie groups, else sparse";
Words<FrameKind> frame_words();

/// Of methods that are built on an energy and a linear constraint distribution, not on
/// skew-gradient form; and of those on D*, which take both.
Requirements energy_requirements();
Requirements reduced_requirements();

/// What rounding has left of v beside the constraints, taken back: -M^-1 A^T (A M^-1 A^T)^-1 A v.
Vector back_to_constraint(const System& system, const Vector& q, const Vector& v);

/// The reduced equations zeta' = Pi(zeta) dH(zeta) on D*, zeta = (q, rho). Source: [Celledoni2019],
/// Eqs. (11)-(13).
class ReducedSystem {
 public:
  ReducedSystem(const System& system, FrameKind frame, const Vector& reference);

  const Vector& variables() const { return variables_; }
  const Expr& energy() const { return energy_; }
  std::size_t dof() const { return system_.dof(); }
  Vector point(const Vector& q, const Vector& v) const;
  Vector position(const Vector& zeta) const { return slice(zeta, 0, dof()); }
  Vector momenta(const Vector& zeta) const { return slice(zeta, dof(), frame_->size()); }
  Vector velocity(const Vector& zeta) const;
  /// velocity(zeta + change) - velocity(zeta) = dX y1 + X0 dy with G1 dy = drho - dG y0.
  Vector velocity_change(const Vector& zeta, const Vector& change) const;
  /// What rounding has left in v and in its change: back onto the constraint and to the energy.
  Vector velocity_rest(const Vector& zeta, const Vector& change, const Vector& v,
                       const Vector& dv) const;
  bool has_frame() const { return frame_.has_value(); }
  /// A discrete gradient of H between zeta and zeta + change. That of Gonzalez takes the change of
  /// the kinetic energy as (drho.(y0 + y1) - y1.dG y0)/2, without quadrature.
  Vector discrete_gradient(GradientKind kind, const Vector& zeta, const Vector& change) const;
  /// Gonzalez' discrete gradient with another gradient at the middle.
  Vector gonzalez_gradient(const Vector& zeta, const Vector& change,
                           const Vector& middle_slope) const;
  /// dH(zeta) = (dV - d(y.G y/2)/dq, y), the derivative at constant y = G^-1 rho: nothing is
  /// differentiated through the inverse.
  Vector energy_gradient(const Vector& zeta) const;
  /// dH(zeta) = (dV - v.dM v/2 - p.dX y, y), with central differences of the frame X.
  Vector gradient_by_differences(const Vector& zeta, const Expr& increment) const;
  /// Pi(zeta) g; frame derivatives by central differences where `increment` is not zero.
  Vector apply_structure(const Vector& zeta, const Vector& g, const Expr& increment) const;

 private:
  /// The same without the potential.
  Vector kinetic_gradient(const Vector& zeta) const;
  /// G(q + dq) - G(q) without round-off of G.
  Matrix change_of_metric(const Vector& q, const Vector& dq) const;
  Vector change_of_components(const Vector& zeta, const Vector& change, const Matrix& stretched,
                              const Vector& y) const;
  Expr change_of_kinetic_energy(const Vector& zeta, const Vector& change) const;
  Vector mean_of_potential_slope(const Vector& zeta, const Vector& change) const;
  Vector gonzalez(const Vector& zeta, const Vector& change) const;
  Vector mean_value(const Vector& zeta, const Vector& change) const;
  /// Along the new velocity v1, what dT = dv.M1 (u + dv/2) + u.dM u/2 lacks to -dV, u = v + back.
  /// Not all of it where the motion turns round: there v1 is no direction.
  Vector to_energy(const Vector& zeta, const Vector& change, const Vector& v, const Vector& back,
                   const Vector& dv) const;

  System system_;
  std::optional<Frame> frame_;  // none in skew-gradient form
  Vector variables_;
  Expr energy_;
  Vector y_;      ///< symbols
  Vector slope_;  ///< dV/dq, in the variables
  Vector pull_;   ///< d(y.G y/2)/dq, in the variables and y
  bool has_constant_metric_ = false, has_change_of_metric_ = false;
};

}  // namespace dalembert
