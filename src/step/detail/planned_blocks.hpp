#pragma once
// The blocks of a step's equations in the order in which they can be solved. Only for the sources
// of this room.

#include <optional>
#include <vector>

#include "block_writer.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/step/detail/block_form.hpp"

namespace dalembert {

/// A block with that whose matrix it has, or the transposed one of: what it is the companion of.
struct PlannedBlock : EquationBlock {
  std::optional<std::size_t> like = {};
};

/// The blocks of equations that determine the unknowns; RequestError where they do not. Those of a
/// companion are those of the first half of the equations: a tangent is found right after what it
/// is the tangent of, an adjoint after all others and in their opposite order.
std::vector<PlannedBlock> planned_blocks(const System& system, const Method& method,
                                         const Vector& zero,
                                         const std::vector<StepUnknown>& unknowns,
                                         Companion companion);

}  // namespace dalembert
