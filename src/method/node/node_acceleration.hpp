#pragma once
// The acceleration at a node with a given multiplier. Only for the sources of this room.

#include <string>

#include "dalembert/method/equations.hpp"

namespace dalembert {

/// v' at a state with the multiplier lambda, which need not be that of the motion.
struct NodeAcceleration {
  Vector value;    ///< [dof]
  Vector balance;  ///< what determines it, where it is an unknown
};

/// Of few coordinates Gamma + Z lambda; of many an unknown of that name with its equation, which
/// stays as sparse as the mass matrix.
NodeAcceleration node_acceleration(const System& system, const State& at, const Vector& lambda,
                                   Unknowns& unknowns, const std::string& name);

}  // namespace dalembert
