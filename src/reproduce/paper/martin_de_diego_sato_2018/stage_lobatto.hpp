#pragma once
// Lobatto methods that show their stages. Only for the sources of this room.

#include "dalembert/method/method.hpp"

namespace dalembert::reproduce {

/// Which velocities satisfy the constraint at the inner stages.
enum class ConstrainedVelocities {
  nodes,   ///< vtilde_i, from the momenta of the IIIA tableau: [MartinDeDiegoSato2018], Eq. (14)
  stages,  ///< V_i, from those of the IIIB tableau: what its Sect. 5.1 advises against
};

/// The method with s stages for systems of constant mass without groups and constraints on
/// positions. With a fraction of the step given, it carries the values at each inner stage of Q_i,
/// V_i and vtilde_i, then those at that fraction of the polynomials of positions, of stage
/// velocities and of node velocities, and the slope of the last.
Method stage_lobatto(int stages, ConstrainedVelocities constrained, double fraction = 0.0);

}  // namespace dalembert::reproduce
