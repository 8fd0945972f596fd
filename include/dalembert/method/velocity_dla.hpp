#pragma once

#include "dalembert/method/page.hpp"

namespace dalembert {

/// The velocity nonholonomic integrators of a finite-difference map rho(q0, q1) = (node, velocity),
/// written for one coordinate in the names q0, q1, h and beta; the default is rho^beta. With
/// redefined nodes the state is (node, velocity) and D is kept; with the original nodes it is (q1,
/// velocity), and a deformed constraint is kept instead. Source: [JimenezScheurle2015], Sects. 5
/// and 6, Eqs. (62) to (64).
struct VelocityDla {
  /// Nodes of the state: those of the map, or the original q1.
  enum class Nodes { redefined, original };

  double beta = 0.5;                             ///< parameter of the map, in [0, 1]
  Nodes nodes = Nodes::redefined;                ///< nodes of the state
  std::string node = "(1 - beta)*q0 + beta*q1";  ///< node of the map, an expression
  std::string velocity = "(q1 - q0)/h";          ///< velocity of the map, an expression

  static MethodPage<VelocityDla> page();
  Facts facts() const;
  /// A sentence if the map cannot be parsed or is no finite-difference map.
  std::optional<std::string> conflict() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
