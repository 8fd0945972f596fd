#pragma once
// Costs and conditions with their derivatives. Only for the sources of this room.

#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"
#include "linearisation/own_eigen.hpp"

namespace dalembert {

/// A number as a function of a state and controls, to second order. Of (x, c), x as StepExpansion
/// has it.
struct ExpandedNumber {
  double value = 0.0;
  Eigen::VectorXd slope;
  Eigen::MatrixXd curvature;
};

/// Expressions of time, state and controls, expanded to second order by state and controls.
class SmoothFunctions {
 public:
  SmoothFunctions(const System& system, const std::vector<SensitiveQuantity>& quantities,
                  std::vector<std::size_t> controls, std::size_t state_size,
                  std::vector<double> parameters);

  std::size_t size() const { return count_; }
  /// The values alone; valid until the next call.
  std::span<const double> values(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& c);
  ExpandedNumber expand(std::size_t i, double t, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& c);

 private:
  std::span<const double> evaluate(StateFunction<double>& function, double t,
                                   const Eigen::VectorXd& x, const Eigen::VectorXd& c);

  std::size_t count_, q_, v_, state_size_;
  std::vector<std::size_t> controls_;
  std::vector<double> parameters_;
  StateFunction<double> values_;
  std::vector<StateFunction<double>> expanded_;
};

}  // namespace dalembert
