#pragma once
// Parts of a system that keep their energies each. Only for the sources of this room.

#include <cstddef>
#include <vector>

#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Coordinates in blocks that neither the potential, nor the mass, nor a constraint couples: V is a
/// sum of functions of one block each, and reactions do no work on a block by itself, so that every
/// block has an energy of its own. On R^n. Source: [ModinVerdier2020], Remark 3.1.
std::vector<std::vector<std::size_t>> energy_blocks(const System& system);

/// Gonzalez' discrete gradient of each summand in the coordinates of its block, all in one list.
Vector gonzalez_by_blocks(const std::vector<std::vector<std::size_t>>& blocks, const Expr& function,
                          const Vector& variables, const Vector& from, const Vector& to);

}  // namespace dalembert
