#pragma once

#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// Energy-preserving collocation for the reduced equations on D*: constraint exact, energy to the
/// error of the quadrature along the step, order 2 * stages; one stage is the mean-value discrete
/// gradient. Source: [CohenHairer2011], Eq. (5), applied to the equations of [Celledoni2019],
/// Sect. 2.
struct EnergyCollocation {
  int stages = 2;                          ///< number of stages, 1 to 16
  FrameKind frame = FrameKind::automatic;  ///< frame of D
  /// Nodes of the rule that integrates the energy's derivative along the step, at least `stages`.
  /// Nothing: as many as a polynomial energy of degree up to 8 needs, else stages + 7; runs take
  /// more where that is not enough, see settle_quadrature.
  std::optional<int> quadrature = {};

  static MethodPage<EnergyCollocation> page();
  Facts facts() const;
  std::optional<std::string> conflict() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
