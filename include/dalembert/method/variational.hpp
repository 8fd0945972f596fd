#pragma once

#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// Variational partitioned Runge-Kutta method. A multi-stage method for nonholonomic systems
/// becomes this one where constraints are absent or holonomic. Symplectic.
///
///   Q_i = q0 + h sum_j a_ij V_j,  dL/dv(Q_i, V_i) = p0 + h sum_j ahat_ij F_j,
///   F_j = dL/dq(Q_j, V_j) + force + Dphi(Q_j)^T mu_j,  ahat_ij = b_j - b_j a_ji / b_i
///
/// with Lobatto IIIA and IIIB (order 2 s - 2; Stormer-Verlet for s = 2), or Gauss nodes (order 2 s,
/// without constraints). Constraints on positions hold at the stages and their rates at the new
/// node: RATTLE for two Lobatto stages; mu of order s - 1. Source: [MarsdenWest2001], Sect. 2.6;
/// [Jay1996].
struct VariationalRungeKutta {
  /// Nodes of the stages: Lobatto IIIA and IIIB, or Gauss.
  enum class Nodes { lobatto, gauss };

  int stages = 2;                              ///< number of stages s, 1 to 8; Lobatto's: 2 to 8
  Nodes nodes = Nodes::lobatto;                ///< nodes of the stages
  Retraction retraction = Retraction::cayley;  ///< map tau by which a step moves on groups

  static MethodPage<VariationalRungeKutta> page();
  Facts facts() const;
  std::optional<std::string> conflict() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// SHAKE: the position form of RATTLE. It carries a velocity that the constraint forces have not
/// corrected yet, as a further part of the state; its positions are those of RATTLE. Reported are
/// the velocity projected onto the constraints and the multiplier of the old node (in the first
/// step half of it). Source: [RyckaertCiccottiBerendsen1977].
struct Shake {
  static MethodPage<Shake> page();
  /// Names of the carried velocity: of each coordinate its name with `_dot_uncorrected`.
  std::vector<std::string> velocity_names(const System& system) const;
  /// Values of these at the start: the velocity there.
  Vector velocity_start(const System& system, const State& start) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
