#pragma once
// Steps of a method with their derivatives. Only for the sources of this room.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/sensitivity/tangent_bundle.hpp"
#include "dalembert/step/stepper.hpp"
#include "linearisation/own_eigen.hpp"

namespace dalembert {

/// One step as a function of the state x before it and the controls c: its value F, its slopes by
/// (x, c), and the second derivatives of p . F, for a covector p.
struct ExpandedStep {
  Eigen::VectorXd after;
  Eigen::MatrixXd slopes;     ///< [state x (state + controls)]
  Eigen::MatrixXd curvature;  ///< [(state + controls) squared]
};

/// Expands the steps of a method. States are vectors: q and v as they are stored, the multipliers
/// that the method has in its state, what else it carries.
class StepExpansion {
 public:
  /// `controls` are places in the system's description.
  StepExpansion(const System& system, const Method& method, std::vector<std::size_t> controls,
                double h, std::vector<double> parameters);

  const StepProgram& program() const { return stepper_.program(); }
  std::size_t state_size() const { return state_size_; }
  std::size_t control_size() const { return controls_.size(); }
  double step_size() const { return stepper_.step_size(); }
  void set_step(double h);
  const Stepper& stepper() const { return stepper_; }

  Eigen::VectorXd state_of(const Point& point) const;
  Point point_of(std::size_t k, const Eigen::VectorXd& x) const;

  /// The state after step k, which begins at t = k h; none where the numbers refuse the step.
  std::optional<Eigen::VectorXd> after(std::size_t k, const Eigen::VectorXd& x,
                                       const Eigen::VectorXd& controls);
  /// The same with derivatives; false where they are no finite numbers.
  bool expand(std::size_t k, const Eigen::VectorXd& x, const Eigen::VectorXd& controls,
              const Eigen::VectorXd& covector, ExpandedStep& result);
  /// What the last step that was refused says.
  const std::string& refusal() const { return refusal_; }

 private:
  /// Where entry i of (x, c) stands in a tangent.
  std::size_t place_in_tangent(std::size_t i) const;
  bool note(const StepReport& report, std::size_t k);
  const std::vector<double>& with(const Eigen::VectorXd& controls);

  std::vector<std::size_t> controls_;
  std::vector<double> parameters_;
  Method adjoint_;
  Stepper stepper_;
  VariationLayout layout_;  ///< of tangents and adjoints of the method
  VariationLayout wide_;    ///< of tangents of its adjoint method
  std::size_t state_size_;
  TangentBundle bundle_;
  std::string refusal_;
};

}  // namespace dalembert
