#pragma once
// The discrete problem of optimal control, as a function of all states and controls. Only for the
// sources of this room.

#include <optional>
#include <vector>

#include "linearisation/own_eigen.hpp"
#include "smooth_functions.hpp"
#include "step_expansion.hpp"

namespace dalembert {

/// States and controls of a motion, with the multipliers of its steps and of its end.
struct ControlledMotion {
  std::vector<Eigen::VectorXd> states;    ///< [N + 1]
  std::vector<Eigen::VectorXd> controls;  ///< [N]
  Eigen::VectorXd multipliers;            ///< of the defects

  std::size_t steps() const { return controls.size(); }
};

/// What the motion shall end with: conditions W (x_N - end) = 0 and further ones.
struct ControlEnd {
  Eigen::MatrixXd directions;  ///< W, [conditions x state]; none where the end is free
  Eigen::VectorXd state;
  SmoothFunctions conditions;  ///< that vanish
  SmoothFunctions cost;        ///< one or none
};

/// Cost and defects of a motion.
struct ControlValues {
  double cost = 0.0;
  Eigen::VectorXd defects;  ///< F(x_k, c_k) - x_k+1 of each step, then the conditions of the end
};

/// The same to second order, in the variables c_0, x_1, c_1, ..., c_N-1, x_N.
struct ControlExpansion {
  ControlValues values;
  Eigen::VectorXd cost_slope;
  Eigen::SparseMatrix<double> defect_slopes;
  Eigen::SparseMatrix<double> curvature;  ///< of cost + multipliers . defects
};

/// Of all motions from one start with N steps.
class DiscreteControl {
 public:
  DiscreteControl(StepExpansion& steps, SmoothFunctions& cost, ControlEnd& end, std::size_t count,
                  double h)
      : steps_(steps), cost_(cost), end_(end), count_(count), h_(h) {
    steps_.set_step(h);
  }

  std::size_t step_count() const { return count_; }
  double step_size() const { return h_; }
  std::size_t state_size() const { return steps_.state_size(); }
  std::size_t control_size() const { return steps_.control_size(); }
  std::size_t variable_count() const { return count_ * (state_size() + control_size()); }
  std::size_t end_count() const {
    return static_cast<std::size_t>(end_.directions.rows()) + end_.conditions.size();
  }
  std::size_t defect_count() const { return count_ * state_size() + end_count(); }
  const std::string& refusal() const { return steps_.refusal(); }

  /// The motion from a start with given controls; where a step is refused the last state stays.
  ControlledMotion motion(const Eigen::VectorXd& start,
                          const std::vector<Eigen::VectorXd>& controls);
  /// None where a step is refused or the cost is no finite number.
  std::optional<ControlValues> values(const ControlledMotion& motion);
  std::optional<ControlExpansion> expand(const ControlledMotion& motion);
  /// The motion with its variables changed by `size` times a vector of changes.
  ControlledMotion moved(const ControlledMotion& motion, const Eigen::VectorXd& change,
                         double size) const;
  /// The motion from the same start with its controls alone changed so.
  ControlledMotion followed(const ControlledMotion& motion, const Eigen::VectorXd& change,
                            double size);
  Eigen::VectorXd variables(const ControlledMotion& motion) const;
  /// The derivatives of the cost of the rest of the motion by the state at each node, [N + 1], with
  /// the other sign.
  std::optional<std::vector<Eigen::VectorXd>> costates(const ControlledMotion& motion);

 private:
  double time(std::size_t k) const { return static_cast<double>(k) * h_; }
  std::size_t control_place(std::size_t k) const { return k * (state_size() + control_size()); }
  /// Of x_k, k > 0.
  std::size_t state_place(std::size_t k) const { return control_place(k) - state_size(); }
  /// Where entry i of (x_k, c_j) stands among the variables; none for the start.
  std::optional<std::size_t> place(std::size_t k, std::size_t j, std::size_t i) const;
  Eigen::VectorXd multiplier(const ControlledMotion& motion, std::size_t k) const;
  Eigen::VectorXd end_defects(const ControlledMotion& motion);
  bool expand_steps(const ControlledMotion& motion, ControlExpansion& result);
  void expand_cost(const ControlledMotion& motion, ControlExpansion& result);
  void expand_end(const ControlledMotion& motion, ControlExpansion& result);
  void add(const ExpandedNumber& number, double weight, std::size_t k, std::size_t j,
           ControlExpansion& result);

  using Entry = Eigen::Triplet<double>;
  StepExpansion& steps_;
  SmoothFunctions& cost_;
  ControlEnd& end_;
  std::size_t count_;
  double h_;
  std::vector<Entry> slopes_, curvatures_;
};

}  // namespace dalembert
