#pragma once
// Steady motions: those along a symmetry.

#include <vector>

#include "linearisation/own_eigen.hpp"
#include "linearisation/symmetry.hpp"

namespace dalembert {

/// A motion along sum_j speeds[j] symmetries[j], and what was found there.
struct SteadyMotion {
  StateMover::State state;
  MotionValues values;
  Eigen::VectorXd speeds;
  double residual = 0.0;  ///< relative to the size of the rates
  bool found = false;
  bool singular = false;        ///< the search went where constraints vanish with their slopes
  Eigen::MatrixXd fields = {};  ///< the changes along the symmetries, [size x symmetries]
  /// The motions nearby, seen by who moves along: the derivative of rate - fields speeds, [size x
  /// size].
  Eigen::MatrixXd slope = {};
  std::size_t family = 0;  ///< the dimension of the steady motions nearby, symmetries divided out
};

/// The field along which it moves.
SymmetryField motion_field(const FieldGeometry& geometry,
                           const std::vector<SymmetryField>& symmetries,
                           const SteadyMotion& motion);

/// Looks for a steady motion near a state on the constraints by the method of Gauss and Newton with
/// the least changes of the state; what is kept has the values of `kept`. Where several symmetries
/// move the state alike, its speeds are those whose frame turns least in space.
SteadyMotion find_steady_motion(const FieldGeometry& geometry, MotionSlopes& slopes,
                                StateMover& mover, const StateMover::State& start,
                                const std::vector<SymmetryField>& symmetries);

}  // namespace dalembert
