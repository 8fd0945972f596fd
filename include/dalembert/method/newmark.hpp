#pragma once

#include "dalembert/mechanics/group/chart.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The nonholonomic Newmark family F^{beta, beta', alpha}, with multipliers at both ends of the
/// step. Order 2 if beta = beta', alpha = 1/2; explicit up to the multipliers for F^{0,0,0} and
/// constant mass. At beta + beta' = 1/2 the two multipliers are not determined separately and the
/// method does not converge: refused. Reports the multiplier at the new node, and beside it the one
/// at the old node, lambda_before. With Constraint::bisector the discrete constraint lies halfway
/// between those of both nodes, and F^{0,0} keeps the volume of the passengers of a coupled system
/// in every step, for every potential and driver: we know of no earlier description. On Lie groups
/// the position moves by the retraction, in two halves with ChartBase::middle, which keeps
/// symmetric members symmetric. Source: [AnahorySimoes2022], Def. 3.1; Sect. 6 for groups.
struct Newmark {
  /// Discrete constraint: that of one point, the mean of those of both nodes as they are written,
  /// or the one that makes equal angles with both, however they are written.
  enum class Constraint { point, average, bisector };

  /// Weights in [0, 1]: `beta` of the new acceleration in the forward expansion of q, `beta_prime`
  /// of the old one in the backward expansion. `alpha` places the discrete constraint, from the old
  /// node (0) to the new one (1).
  double beta = 0.0, beta_prime = 0.0, alpha = 0.5;
  Constraint constraint = Constraint::point;   ///< discrete constraint
  Retraction retraction = Retraction::cayley;  ///< map tau by which a step moves on groups
  ChartBase base = ChartBase::middle;          ///< base point of the chart of a step on groups

  static MethodPage<Newmark> page();
  Facts facts() const;
  /// A sentence at beta + beta' = 1/2, and for a bisector with another alpha than 1/2.
  std::optional<std::string> conflict() const;
  /// A sentence where beta + beta' is so near 1/2 that digits are lost.
  std::optional<std::string> warning() const;
  /// Names of the multipliers at the old node, lambda_before_1 and so on, one for each constraint.
  std::vector<std::string> multiplier_names(const System& system) const;
  Vector multiplier_start(const System& system, const State& start) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  /// Known for beta = beta' = 0 only.
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;
};

/// The Newmark method on Lie groups as it was published: beta = beta' = 0 with the base point of
/// the chart at the start of the step. Source: [AnahorySimoes2022], Sect. 6.
struct LieNewmark {
  /// Place of the discrete constraint, from the old node (0) to the new one (1).
  double alpha = 0.5;
  Retraction retraction = Retraction::cayley;  ///< map tau by which a step moves on groups

  static MethodPage<LieNewmark> page();
  Facts facts() const;
  std::vector<std::string> multiplier_names(const System& system) const;
  Vector multiplier_start(const System& system, const State& start) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;
};

}  // namespace dalembert
