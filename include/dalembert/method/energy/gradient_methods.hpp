#pragma once

#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The discrete-derivative method: midpoint positions, a discrete gradient of the potential, the
/// constraint on the mean velocity. Energy exact, reversible for a symmetric gradient; not a map on
/// D. Source: [ModinVerdier2020], A.3; [Gonzalez1996].
///
/// Driver and passenger of a coupled system keep their energies separately with the mean-value
/// gradient, and with Gonzalez' where it is one quotient for each: `integrals` = separate takes one
/// for every block of coordinates that neither the potential, nor the mass, nor a constraint
/// couples to others. Source: [ModinVerdier2020], Remark 3.1 and its footnote.
///
/// Constraints on positions hold at the nodes to round-off, by reactions along discrete gradients
/// of them; their rates, as those of the others, only nearly. Source: [Betsch2006]; [Gonzalez1999].
struct DiscreteDerivative {
  /// Functions in Gonzalez' quotient: the whole potential, or each of its blocks.
  enum class Integrals { together, separate };

  GradientKind gradient = GradientKind::gonzalez;  ///< discrete gradient of the potential
  Integrals integrals = Integrals::together;       ///< functions in Gonzalez' quotient

  static MethodPage<DiscreteDerivative> page();
  Facts facts() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// A discrete gradient of the whole energy on T*Q, with the constraint on its velocity part. Energy
/// exact; the constraint holds at the midpoint only. Source: [Celledoni2019], Eq. (15).
struct GonzalezFull {
  GradientKind gradient = GradientKind::gonzalez;  ///< discrete gradient of the energy on T*Q

  static MethodPage<GonzalezFull> page();
  Facts facts() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// A discrete gradient method for the reduced equations on D*: energy and constraint exact, order 2
/// for a symmetric gradient. With finite differences the derivatives of the frame are central
/// differences with the step as increment, in the bracket and in the midpoint gradient of Gonzalez'
/// formula, whose correction keeps the energy exact all the same. Source: [Celledoni2019], Sects. 2
/// and 3, Remark 3.5.
///
/// The bilinear gradient is that of the energy y.G(q) y/2 + V(q) in the components y of the
/// velocity: with y the mean of y0 and y1, H1 - H0 = y.(rho1 - rho0) + (y1.rho0 - y0.rho1)/2 + V1 -
/// V0 for any G, and the quotient of Gonzalez' formula in the metric G makes the right side vanish.
/// Unknowns are y1 and mean velocities that X depends on, found by Broyden's method without a
/// fallback. We know of no earlier description.
///
/// On Lie groups by a finite-difference map: a step moves by xi = tau^-1(gbar^-1 g')/(h/2), gbar
/// being its middle, and a discrete gradient is a covector (alpha, y) at (gbar, the mean of the
/// momenta) with alpha.(h xi) + y.(rho' - rho) = H' - H. Order, exact energy, exact constraint and
/// symmetry are those on R^n. Source: [Celledoni2019], Sect. 5 (i), which asks for such methods.
struct ReducedGradient {
  /// Derivatives of the frame: exact, or central differences with the step as increment.
  enum class Derivative { exact, finite_difference };

  GradientKind gradient = GradientKind::gonzalez;  ///< discrete gradient of the reduced energy
  FrameKind frame = FrameKind::automatic;          ///< frame of D
  /// Derivatives of the frame; finite differences go with Gonzalez' gradient only.
  Derivative derivative = Derivative::exact;
  Retraction map = Retraction::exponential;  ///< map tau by which a step moves on groups

  static MethodPage<ReducedGradient> page();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> conflict() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
