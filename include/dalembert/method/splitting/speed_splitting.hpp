#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/method/page.hpp"

namespace dalembert {

/// Splitting of systems with drivers and passengers (mechanics/driver_blocks.hpp) whose speed comes
/// from the energy of the start, and which goes along its path by arc length: positions move along
/// the direction of the velocity, forces turn that direction, each of them exactly. Energy and
/// constraints are exact for every potential; one scalar equation for the length of the step, none
/// where the potential is at most quadratic. Order 2; compose raises it. It cannot start at rest.
/// We know of no earlier description; its parents are the principle of Jacobi and Maupertuis
/// [Arnold1989], Sect. 45, and [McLachlanQuispelRobidoux1999].
struct SpeedSplitting {
  static MethodPage<SpeedSplitting> page();
  std::optional<std::string> misfit(const System& system) const;
  /// One name: the energy, from which the speed is computed.
  std::vector<std::string> carried_names(const System& system) const;
  Vector carried_start(const System& system, const State& start) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
