#pragma once

#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// Change of the volume of the passengers x of a nonholonomically coupled system by a step: the
/// volume dx dy with x' = E(w) y and columns E orthonormal in the mass, while drivers w move by
/// themselves.
enum class PassengerVolume {
  not_said,               ///< no promise
  every_step,             ///< kept, for every potential
  every_step_of_springs,  ///< kept, where the potential is quadratic in x and has a minimum
  over_turns,  ///< not kept in a step, but a volume near it is: over a closed orbit of drivers the
               ///< factors of the steps multiply to one, up to what vanishes faster than any power
               ///< of the step
  lost         ///< not kept, not over a closed orbit either
};

/// One factor |det E_1^T B E_2|^power of the formula for a step, E_1 and E_2 as above for the
/// constraints at two places: for B = M the product of the cosines of the angles between the
/// velocities that are admissible there.
struct VolumeFactor {
  Matrix first, second;  ///< the constraint matrices of the two places, [constraints, dof]
  int power = 1;         ///< exponent of the absolute value of the determinant
  Matrix between = {};   ///< B, [dof, dof]; without entries the mass
};

/// The factor by which a step multiplies the passengers' volume, in closed form: a product. Without
/// factors it is one.
struct VolumeFormula {
  /// Potentials of the passengers for which it holds.
  enum class Potential { any, quadratic, quadratic_with_minimum };

  std::vector<VolumeFactor> factors = {};  ///< factors of the product
  Potential potential = Potential::any;    ///< potentials for which it holds
};

}  // namespace dalembert
