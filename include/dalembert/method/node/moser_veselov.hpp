#pragma once

#include "dalembert/method/page.hpp"

namespace dalembert {

/// The discrete Lagrange-d'Alembert principle for rigid bodies as Moser and Veselov discretise
/// them: the kinetic energy between two nodes is that of the chord g1 - g0 of the matrices, which
/// for g1 = g0 cay(h w) is that of w divided by 1 + |h w|^2/4 = c:
///
///   M v0 + h/2 f0 + A(g0)^T l0 = p-, A(gm) w + b(gm) = 0, gm half the way from g0 to g1,
///   M v1 = p+ + h/2 f1 + A(g1)^T l1, A(g1) v1 + b(g1) = 0,
///   p-+ = (M w -+ h/2 M w x w)/c of rotations, M w of lines,
///
/// f the slope of -V and the external force at the nodes. The discrete Lagrangian and the discrete
/// constraint come from different differences, so that they are not "consistent". With `kinetic =
/// displacement`, the energy of w itself, they are, and p-+ = M w -+ h/2 M w x w + h^2/4 (w.M w) w.
///
/// Without a potential, and with a constraint a.w = 0 that is fixed in the body, as Suslov's, the
/// energy v.M v/2 at the nodes is exact with the chord: of p- and p+ only the parts in D count, and
/// that of M w x w is orthogonal to w. Order 2, symmetric, maps D to D; the reported multiplier is
/// the continuous one. On R^n the same as `newmark`. Source: [MoserVeselov1991] for the free body,
/// [FedorovZenkov2005LL] for constraints, [GarciaNaranjoJimenez2016] for both kinetic energies.
struct MoserVeselov {
  /// Displacement that enters the kinetic energy: the chord of the matrices, or w itself.
  enum class Kinetic { chord, displacement };
  Kinetic kinetic = Kinetic::chord;  ///< displacement that enters the kinetic energy

  static MethodPage<MoserVeselov> page();
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;

 private:
  /// Momenta at both ends of a step.
  struct Momenta {
    Vector first, last;  ///< p- and p+, [dof]
  };
  Momenta momenta(const System& system, const Vector& w, const Expr& h) const;
};

}  // namespace dalembert
