#pragma once

#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The discrete Hamel equations: with the components xi of the velocity along a frame X of D,
/// (q1 - q0)/h = X(qm) xi, and Hamel's equations at (qm, xi) balanced between the momenta rho = X^T
/// p of both nodes. It is the implicit midpoint rule for the reduced equations on D*,
///
///   zeta1 - zeta0 = h Pi(zetam) dH(zetam), zeta = (q, rho), zetam the mean.
///
/// Order 2, symmetric, constraints exact; depends on the frame. With an orthonormal frame and V = 0
/// the energy is a quadratic function of rho, and exact: then it is `reduced-gradient`. Source:
/// [ZenkovLeokBloch2012]; [BallZenkov2015].
struct Hamel {
  FrameKind frame = FrameKind::automatic;  ///< frame of D

  static MethodPage<Hamel> page();
  Facts facts() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
