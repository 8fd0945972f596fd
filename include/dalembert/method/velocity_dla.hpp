#pragma once

#include "dalembert/method/method.hpp"

namespace dalembert {

/// The velocity nonholonomic integrators of a finite-difference map rho(q0, q1) = (node, velocity),
/// written for one coordinate in the names q0, q1, h and beta; the default is rho^beta. With
/// redefined nodes the state is (node, velocity) and D is kept; with the original nodes it is (q1,
/// velocity), and a deformed constraint is kept instead. Source: [JimenezScheurle2015], Sects. 5
/// and 6, Eqs. (62) to (64).
struct VelocityDla {
  double beta = 0.5;
  std::string nodes = "redefined";
  std::string node = "(1 - beta)*q0 + beta*q1";
  std::string velocity = "(q1 - q0)/h";

  static constexpr std::string_view name = "velocity-dla";
  static std::vector<Option<VelocityDla>> options();
  Facts facts() const;
  Requirements requirements() const;
  /// Throws RequestError if the map cannot be parsed or is no finite-difference map.
  void check_options() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
