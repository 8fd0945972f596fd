#pragma once

#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The discrete Lagrange-d'Alembert method DLA^alpha: a weight alpha between explicit (0) and
/// implicit (1). Order 1; order 2, symmetric and reversible for alpha = 1/2. Maps D to D. On Lie
/// groups the nodes are g tau(-alpha h v) and g tau((1 - alpha) h v), and momenta are balanced
/// between them; those of symmetries are kept at the nodes. Source: [ModinVerdier2020], Eq. (27).
struct Dla {
  double alpha = 0.5;                          ///< weight of the implicit half, in [0, 1]
  Retraction retraction = Retraction::cayley;  ///< map tau by which a step moves on groups

  static MethodPage<Dla> page();
  Facts facts() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;

 private:
  Equations on_groups(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// DLA^{0,1}: the composition DLA^1_{h/2} o DLA^0_{h/2}; also known as SI-DLA. Order 2, symmetric,
/// reversible, maps D to D. Source: [ModinVerdier2020], Eq. (29); [Celledoni2019], SI-DLA.
struct Dla01 {
  static MethodPage<Dla01> page();
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;
};

/// The nonholonomic leap-frog: order 2, linearly implicit.
///
/// The form that begins with half a kick carries the multiplier and maps D to D. With constraints
/// on positions it is RATTLE, whose multipliers are found anew in each half kick. Source:
/// [ModinVerdier2020], Eq. (30), with A(q0) in the first half-kick and the exact multiplier at the
/// start; [Andersen1983].
///
/// The form that begins with half a drift carries nothing: in the middle, at qm, v is kicked and
/// reflected at D(qm), so that the mean of the two velocities is in D(qm). Its sequence is that of
/// the other form half a step later: (q + h/2 v, v) with the velocity v between the nodes. The new
/// velocity leaves D at second order, and every second step leads it back; the multiplier is that
/// of the step, of order 1. Source: [ModinVerdier2020], App. A.2, first display, with the sign of
/// the gradient corrected.
struct Leapfrog {
  /// The half of a step that comes first.
  enum class First { kick, drift };

  First first = First::kick;  ///< half that comes first

  static MethodPage<Leapfrog> page();
  Facts facts() const;
  /// Constraints on positions are admissible if a step begins with a kick.
  Requirements requirements() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  /// The factor one if a step begins with a kick; else nothing.
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;

 private:
  static Equations drift_first(const System& system, const State& before, Unknowns& unknowns,
                               const Expr& h);
};

}  // namespace dalembert
