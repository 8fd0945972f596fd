#pragma once

#include <vector>

#include "dalembert/step/point.hpp"
#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// A state between two nodes.
struct InterpolatedState {
  double t = 0.0;                    ///< time
  std::vector<double> q, v, lambda;  ///< positions (angles unwrapped), velocities, multipliers
};

/// The polynomial by which a method with dense output continues its solution between the nodes.
/// For `lobatto` with s stages: degree s in q and s - 1 in v and lambda, through the values at the
/// stages. Within one step the errors are of order s + 1 in q and s in v and lambda; those of the
/// stages themselves are of order s + 1 in q and v.
/// At the ends it agrees with the nodes; the pieces join continuously. Constraints hold between the
/// nodes to the order of the polynomial, not to round-off.
class DenseOutput {
 public:
  /// RequestError if the method has no dense output, or it is not asked for.
  explicit DenseOutput(const StepProgram& program);

  /// The state at before.t + fraction (after.t - before.t), for 0 <= fraction <= 1, within the step
  /// from `before` to `after`.
  InterpolatedState at(const Point& before, const Point& after, double fraction) const;

 private:
  std::vector<double> nodes_, weights_;
  std::size_t dof_, lambda_count_;
};

}  // namespace dalembert
