#pragma once

#include <cstddef>
#include <vector>

namespace dalembert {

/// How a square system of equations is solved with a small iteration: once the torn unknowns are
/// known, every other unknown follows from an equation of its own, one after the other. The
/// equations that are left determine the torn unknowns.
/// Source of the idea: [CellierKofman2006], Chapter 7.
struct Tearing {
  struct Assignment {
    std::size_t equation, unknown;
  };
  std::vector<Assignment> assignments;       ///< in an order in which they can be made
  std::vector<std::size_t> torn, remaining;  ///< unknowns and as many equations, ascending
};

/// Looks for few torn unknowns. `incidence[e][u]` says whether equation e contains unknown u, and
/// `solvable[e][u]` whether it can be solved for u alone. Unknowns with `tearable[u]` false are
/// torn only if nothing else is left. Each of `starts` is a set of unknowns to begin with; the best
/// result counts, the first among equals. A heuristic: the set that it returns has no member that
/// could be left out, but it need not be the smallest.
Tearing tear(const std::vector<std::vector<bool>>& incidence,
             const std::vector<std::vector<bool>>& solvable, const std::vector<bool>& tearable,
             const std::vector<std::vector<bool>>& starts);

}  // namespace dalembert
