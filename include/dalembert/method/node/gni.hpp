#pragma once

#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The geometric nonholonomic integrator: the momentum that a discrete Lagrangian brings to a node
/// is reflected there at the constraints, in the metric of the mass, and leaves again.
///
///   p-(q0, q1) = -D1 L_d, p+(q0, q1) = D2 L_d,
///   p-(q0, q1) = dL/dv(q0, v0) + h/2 A(q0)^T lambda0, p+(q0, q1) = dL/dv(q1, v1) - h/2 A(q1)^T
///   lambda1, A(q1) v1 + b(q1) = 0
///
/// so that v is the projection of both momenta of a node. With w = (q1 - q0)/h, qm the middle:
///
/// - `gradient` (constant mass): p-+ = M w +- h/2 g(q0, q1) with a discrete gradient g of the
///   potential. Every step keeps E + h^2/8 lambda.C lambda, C = A M^-1 A^T, to round-off, for every
///   potential: reflections keep the length of momenta, and |p+|^2 - |p-|^2 = -2 h g.w. With a mass
///   that depends on the configuration it takes the midpoint for the rest of L, and keeps nothing.
/// - `midpoint`: L_d = h L(qm, w). The same invariant where the potential is quadratic.
/// - `symmetric`: L_d = h/2 (L(q0, w) + L(q1, w)); for constant mass this is the leap-frog.
/// - `euler-a`, `euler-b`: L_d = h L(q0, w) and h L(q1, w), of order 1; their energies leave every
///   bound where the potential is not constant.
///
/// The multiplier is carried. Order 2, symmetric and reversible for the first three, maps D to D.
/// On Lie groups q1 = q0 tau(h w), in two halves for the first two. Source:
/// [FerraroIglesiasMartin2008]; [FerraroJimenezMartin2015]; the discrete gradient: this library.
struct Gni {
  /// Discrete Lagrangian, as above.
  enum class Lagrangian { gradient, midpoint, symmetric, euler_a, euler_b };

  Lagrangian lagrangian = Lagrangian::gradient;  ///< discrete Lagrangian
  /// Discrete gradient of the potential, for Lagrangian::gradient.
  GradientKind gradient = GradientKind::mean_value;
  Retraction retraction = Retraction::cayley;  ///< map tau by which a step moves on groups

  static MethodPage<Gni> page();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  /// A sentence for `euler_a` and `euler_b`, whose energy leaves every bound; else nothing.
  std::optional<std::string> warning() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  /// The factor one, where the discrete Lagrangian is the only source of impulses. With
  /// Lagrangian::gradient it holds for quadratic potentials only.
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;
  /// E + h^2/8 lambda.C lambda, where steps keep it.
  std::optional<Expr> discrete_energy(const System& system, const State& state,
                                      const Expr& h) const;

 private:
  struct Between;
  Between through_middle(const System& system, const State& before, const Vector& w,
                         const Expr& h) const;
  Between from_ends(const System& system, const State& before, const Vector& w,
                    const Expr& h) const;
};

}  // namespace dalembert
