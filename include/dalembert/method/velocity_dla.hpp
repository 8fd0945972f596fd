#pragma once

#include "dalembert/method/page.hpp"

namespace dalembert {

/// The velocity nonholonomic integrators of a finite-difference map rho(q0, q1) = (node, velocity),
/// written for one coordinate in the names q0, q1, h and beta; the default is rho^beta. With
/// redefined nodes the state is (node, velocity) and D is kept; with the original nodes it is (q1,
/// velocity), and a deformed constraint is kept instead. Source: [JimenezScheurle2015], Sects. 5
/// and 6, Eqs. (62) to (64).
struct VelocityDla {
  enum class Nodes { redefined, original };

  double beta = 0.5;
  Nodes nodes = Nodes::redefined;
  std::string node = "(1 - beta)*q0 + beta*q1";
  std::string velocity = "(q1 - q0)/h";

  static MethodPage<VelocityDla> page();
  Facts facts() const;
  /// A sentence if the map cannot be parsed or is no finite-difference map.
  std::optional<std::string> conflict() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
