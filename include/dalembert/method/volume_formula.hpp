#pragma once

#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// What a step makes of the volume of the passengers x of a nonholonomically coupled system, the
/// volume dx dy with x' = E(w) y and columns E orthonormal in the mass, while drivers w move by
/// themselves.
enum class PassengerVolume {
  not_said,
  every_step,             ///< kept, for every potential
  every_step_of_springs,  ///< kept, where the potential is quadratic in x and has a minimum
  over_turns,  ///< not in a step, but a volume near it is: over a closed orbit of the drivers the
               ///< factors of the steps multiply to one, up to what vanishes faster than any power
               ///< of the step
  lost         ///< over a closed orbit, too
};

/// One factor |det E_1^T B E_2|^power of the formula for a step, E_1 and E_2 as above for the
/// constraints at two places: for B = M the product of the cosines of the angles between the
/// velocities that are admissible there.
struct VolumeFactor {
  Matrix first, second;  ///< the constraint matrices of the two places, [constraints, dof]
  int power = 1;
  Matrix between = {};  ///< B, [dof, dof]; without entries the mass
};

/// The factor by which a step multiplies the passengers' volume, in closed form: a product. Without
/// factors it is one.
struct VolumeFormula {
  /// For which potentials of the passengers it holds.
  enum class Potential { any, quadratic, quadratic_with_minimum };

  std::vector<VolumeFactor> factors = {};
  Potential potential = Potential::any;
};

}  // namespace dalembert
