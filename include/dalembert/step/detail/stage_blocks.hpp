#pragma once

#include <vector>

#include "dalembert/expression/tape/stage_iteration.hpp"

namespace dalembert {

/// The blocks of components that the sweeps of a stage iteration go through, each after those that
/// its rates depend on: strongly connected components, drivers before their passengers. Within a
/// block the velocities are found before the positions, whose rates then are new ones: a sweep
/// contracts by h^2 instead of h.
std::vector<StageBlock> stage_blocks(const StageIteration& stages);

}  // namespace dalembert
