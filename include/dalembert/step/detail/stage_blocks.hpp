#pragma once

#include <vector>

#include "dalembert/expression/tape/stage_iteration.hpp"

namespace dalembert {

/// The blocks of components that the sweeps of a stage iteration go through, each after those that
/// its rates depend on: strongly connected components, drivers before their passengers. Within a
/// block the velocities are found before the positions, whose rates then are new ones: a sweep
/// contracts by h^2 instead of h.
std::vector<StageBlock> stage_blocks(const StageIteration& stages);

/// Limits of the sweeps of a block of `stages` stages of so many components: by these alone, so
/// that a block is swept in one way wherever it stands. A window has as many sweeps as there are
/// stages, since errors may grow for as many. Where unknowns are few, changes are to halve in each
/// sweep. For many, one pass of Newton's iteration costs as much as tens of sweeps, or there is
/// none: two sweeps may halve them.
SweepPatience patience(std::size_t stages, std::size_t components);

}  // namespace dalembert
