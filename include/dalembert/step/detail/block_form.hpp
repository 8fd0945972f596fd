#pragma once

#include <cstddef>
#include <vector>

namespace dalembert {

/// Equations and unknowns that must be solved together.
struct EquationBlock {
  std::vector<std::size_t> equations, unknowns;
};

/// The block lower triangular form of a square system: `incidence[e][u]` says whether equation e
/// contains unknown u, and `preferred[e][u]` marks pairs that are matched first (linear with a
/// coefficient that is never zero). The blocks come in the order in which they can be solved.
/// Maximum bipartite matching, then strongly connected components. Returns false, with the
/// unmatched equations in `unmatched`, where the system is structurally singular.
bool block_lower_triangular(const std::vector<std::vector<bool>>& incidence,
                            const std::vector<std::vector<bool>>& preferred,
                            std::vector<EquationBlock>& blocks,
                            std::vector<std::size_t>& unmatched);

}  // namespace dalembert
