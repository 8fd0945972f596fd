#pragma once

#include <functional>
#include <vector>

#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// One piece of a splitting: a map of states for a fraction of the step, as equations of its own.
struct SplittingPiece {
  std::function<Equations(const System& system, const State& before, Unknowns& unknowns,
                          const Expr& time)>
      map;
  Constant fraction;
  bool moves_time = false;  ///< whether t moves on by that fraction of the step
};

/// The equations of all pieces, one after the other, as one step. The last piece alone says what is
/// a condition on the new state.
Equations apply_pieces(const std::vector<SplittingPiece>& pieces, const System& system,
                       const State& before, Unknowns& unknowns, const Expr& h);

/// The symmetric sequence of pieces a_1 .. a_n: a_1(h/2) .. a_(n-1)(h/2) a_n(h) a_(n-1)(h/2) ..
/// a_1(h/2), from their maps and whether they move the time.
std::vector<SplittingPiece> symmetric_sequence(std::vector<SplittingPiece> pieces);

/// Splitting of systems with drivers and passengers (mechanics/driver_blocks.hpp) into pieces that
/// keep the constraints and the passengers' energy exactly: drivers move with the passengers'
/// velocity carried along, passengers move where the drivers stand. Explicit where the potential is
/// at most quadratic in the passengers. Order 2; compose raises it. We know of no earlier
/// description; its parents are [McLachlanQuispelRobidoux1999] and [Celledoni2019], Sect. 2.
struct DriverSplitting {
  /// How the drivers move.
  enum class Driver {
    automatic,  ///< leapfrog where the potential splits, else energy
    leapfrog,   ///< kick and drift: symplectic, for V(w, x) = W(w) + U(x)
    energy,     ///< one coordinate after the other, the total energy exact
  };
  /// How the passengers move where the drivers stand.
  enum class Passenger {
    mean_value,  ///< the energy exact for every potential; the midpoint rule for quadratic ones
    exact,       ///< the flow itself, for U = c x.M x/2 + linear terms
  };

  Driver driver = Driver::automatic;
  Passenger passenger = Passenger::mean_value;

  static MethodPage<DriverSplitting> page();
  Facts facts() const;
  std::optional<std::string> misfit(const System& system) const;
  /// What the next step needs of its first node, where the passengers have one direction.
  std::vector<std::string> carried_names(const System& system) const;
  Vector carried_start(const System& system, const State& start) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Splitting of the reduced equations on D*, in a frame that is orthonormal in the metric of the
/// mass, into motions along one field of the frame and turns of two of its momenta. Each keeps
/// energy and constraints exactly, and so does every composition of them. Order 2. We know of no
/// earlier description; its parents are as for DriverSplitting.
struct FrameSplitting {
  FrameKind frame = FrameKind::qr;  ///< qr or given; made orthonormal

  static MethodPage<FrameSplitting> page();
  Facts facts() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
