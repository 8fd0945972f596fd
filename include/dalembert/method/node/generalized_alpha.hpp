#pragma once

#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The generalized-alpha method with constraints on velocities at the new node. rho in [0, 1] is
/// the factor by which a step multiplies the fastest vibrations; am = (2 rho - 1)/(rho + 1), af =
/// rho/(rho + 1), gamma = 1/2 + af - am, beta = (gamma + 1/2)^2/4, and d is the acceleration of the
/// equations with the node's multiplier, a the algorithmic one:
///
///   (1 - am) a1 = (1 - af) d1 + af d0 - am a0,
///   q1 = q0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1), v1 = v0 + h ((1 - gamma) a0 + gamma a1),
///   M(q1) d1 = (all forces at (q1, v1)) + A(q1)^T lambda1, A(q1) v1 + b(q1) = 0.
///
/// The multiplier is carried, and a for rho < 1; a = d at the start. Order 2 in q, v and lambda,
/// maps D to D. For rho = 1 this is the trapezoidal rule, symmetric and reversible. With constant
/// mass (q + h/2 v, v + h/2 a) are then states of the midpoint rule with the constraint in the
/// middle: their energy stays where the potential is quadratic. On groups q1 = q0 tau(h v0 + h^2
/// (...)). Source: [ChungHulbert1993]; [ArnoldBruls2007]; on groups [BrulsCardonaArnold2012].
struct GeneralizedAlpha {
  double rho = 1.0;                            ///< spectral radius at infinity, in [0, 1]
  Retraction retraction = Retraction::cayley;  ///< map tau by which a step moves on groups

  static MethodPage<GeneralizedAlpha> page();
  Facts facts() const;
  /// Names of the carried acceleration a: the column of each velocity with `_rate`. With rho = 1
  /// there are none.
  std::vector<std::string> acceleration_names(const System& system) const;
  /// Values of these at the start: the acceleration of the motion there.
  Vector acceleration_start(const System& system, const State& start) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  /// Energy of the midpoint rule half a step later, for rho = 1, constant mass and a quadratic
  /// potential; else nothing.
  std::optional<Expr> discrete_energy(const System& system, const State& state,
                                      const Expr& h) const;
};

}  // namespace dalembert
