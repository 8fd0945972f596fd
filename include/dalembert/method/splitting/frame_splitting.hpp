#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// Splitting of the reduced equations on D*, in a frame that is orthonormal in the metric of the
/// mass, into motions along one field of the frame and turns of two of its momenta. Each keeps
/// energy and constraints exactly, and so does every composition of them. Order 2. Explicit but for
/// motions along fields that bend, and in potentials that are not quadratic: there one scalar
/// equation remains, or one for each coordinate that moves. We know of no earlier description; its
/// parents are [McLachlanQuispelRobidoux1999] and [Celledoni2019], Sect. 2.
struct FrameSplitting {
  FrameKind frame = FrameKind::automatic;  ///< frame of D; made orthonormal

  static MethodPage<FrameSplitting> page();
  Facts facts() const;
  std::optional<std::string> misfit(const System& system) const;
  /// Moves, turns, and back, on the momenta in the frame in the place of velocities.
  std::vector<SplittingPiece> pieces(const System& system, const State& before) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
