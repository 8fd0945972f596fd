#pragma once

#include "dalembert/mechanics/difference/quadrature.hpp"
#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// Part of the new state that is projected onto the constraints, in the metric of the mass.
enum class Projection { none, velocity, position_velocity };

/// The variables of the eliminated equations: (q, v), or coordinates of the constraint distribution
/// D, which are the quasi-velocities of a frame or adapted to a connection.
enum class EliminatedCoordinates { full, quasi_velocity, adapted };

// On Lie groups the Runge-Kutta methods solve the same equations for the displacement in the chart
// of a step (Runge-Kutta-Munthe-Kaas methods with the exact derivative of the retraction), with
// velocities in the body frame. Gauss' chart has its base point in the middle of the step, so that
// it stays symmetric; the others' lie at the start.

/// The classical method of order 4 on the eliminated equations.
/// Source: [HairerNorsettWanner1993], Sect. II.1; equations: [JimenezScheurle2015], Eq. (23).
struct RungeKutta4 {
  Projection projection = Projection::none;                         ///< projection of the new state
  EliminatedCoordinates coordinates = EliminatedCoordinates::full;  ///< variables of the equations

  static MethodPage<RungeKutta4> page();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Fehlberg's explicit method of order 8 with an error estimate of order 7, on the eliminated
/// equations. With a tolerance the substeps between two nodes of the grid are chosen so that the
/// estimate stays below it; without, it takes fixed steps. Source: [Fehlberg1968], Table X.
struct Fehlberg78 {
  /// Largest estimated error of a substep, relative to 1 + size; 0: fixed steps.
  double tolerance = 1e-12;
  Projection projection = Projection::none;                         ///< projection of the new state
  EliminatedCoordinates coordinates = EliminatedCoordinates::full;  ///< variables of the equations

  static MethodPage<Fehlberg78> page();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// The explicit method of order 8 of Dormand and Prince, with error estimates of orders 5 and 3, on
/// the eliminated equations: DOP853. With a tolerance the substeps between two nodes of the grid
/// are chosen so that the estimate stays below it, in the mean over the numbers of the state, each
/// compared with `absolute` + `tolerance` times its size; without, it takes fixed steps. The
/// estimate combines both: h E5^2 / sqrt(E5^2 + E3^2 / 100). Source: [HairerNorsettWanner1993],
/// Sect. II.10.
struct Dop853 {
  /// Largest estimated error of a substep, relative to sizes; 0: fixed steps.
  double tolerance = 1e-10;
  double absolute = 0.0;  ///< largest estimated error of a number near zero; 0: as tolerance
  Projection projection = Projection::none;                         ///< projection of the new state
  EliminatedCoordinates coordinates = EliminatedCoordinates::full;  ///< variables of the equations

  static MethodPage<Dop853> page();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Gauss collocation, order 2 * stages, on the eliminated equations. Source:
/// [HairerLubichWanner2006], Sect. II.1.3.
struct Gauss {
  int stages = 2;                                                   ///< number of stages, 1 to 16
  Projection projection = Projection::none;                         ///< projection of the new state
  EliminatedCoordinates coordinates = EliminatedCoordinates::full;  ///< variables of the equations

  static MethodPage<Gauss> page();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Radau IIA collocation, order 2 * stages - 1, on the eliminated equations. Source:
/// [HairerWanner1996], Sect. IV.5.
struct RadauIIA {
  int stages = 2;                                                   ///< number of stages, 1 to 16
  Projection projection = Projection::none;                         ///< projection of the new state
  EliminatedCoordinates coordinates = EliminatedCoordinates::full;  ///< variables of the equations

  static MethodPage<RadauIIA> page();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// The midpoint rule for velocities in the body frame of a Lie group: half a step to the middle and
/// half from there. Order 2, symmetric; keeps quadratic integrals of the body momentum of a free
/// body, such as its energy, and not its spatial momentum. Source: [HairerLubichWanner2006],
/// Sect. IV.8.
struct LieMidpoint {
  Projection projection = Projection::none;    ///< projection of the new state
  Retraction retraction = Retraction::cayley;  ///< map tau by which a step moves on groups

  static MethodPage<LieMidpoint> page();
  Facts facts() const;
  Requirements requirements() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
