#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/method/page.hpp"

namespace dalembert {

/// Splitting of systems with drivers and passengers (mechanics/driver_blocks.hpp) into pieces that
/// keep the constraints and the passengers' energy exactly: drivers move with the passengers'
/// velocity carried along, passengers move where the drivers stand. Explicit where the potential is
/// at most quadratic in the passengers. Order 2; compose raises it. We know of no earlier
/// description; its parents are [McLachlanQuispelRobidoux1999] and [Celledoni2019], Sect. 2.
struct DriverSplitting {
  /// Motion of the drivers.
  enum class Driver {
    automatic,  ///< leapfrog where the potential splits, else energy
    leapfrog,   ///< kick and drift: symplectic, for V(w, x) = W(w) + U(x)
    energy,     ///< one coordinate after the other, the total energy exact
  };
  /// Motion of the passengers while the drivers stand.
  enum class Passenger {
    mean_value,  ///< the energy exact for every potential; the midpoint rule for quadratic ones
    exact,       ///< the flow itself, for U = c x.M x/2 + linear terms
  };

  Driver driver = Driver::automatic;            ///< motion of the drivers
  Passenger passenger = Passenger::mean_value;  ///< motion of the passengers

  static MethodPage<DriverSplitting> page();
  Facts facts() const;
  std::optional<std::string> misfit(const System& system) const;
  /// Names of what the next step needs of its first node, where the passengers have one direction.
  std::vector<std::string> carried_names(const System& system) const;
  Vector carried_start(const System& system, const State& start) const;
  /// Pieces of a step: drift or drives, pass, and back.
  std::vector<SplittingPiece> pieces(const System& system, const State& before) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;
};

}  // namespace dalembert
