#pragma once
// The equations of motion and their derivatives as numbers.

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"
#include "linearisation/own_eigen.hpp"

namespace dalembert {

/// Values at a state. Changes of a state are [dof] displacements (along the left-invariant fields)
/// and [velocity_count] changes of velocities, together `size`.
struct MotionValues {
  Eigen::VectorXd rate;              ///< of position and velocity, [size]
  Eigen::MatrixXd rate_slope;        ///< [size x size]
  Eigen::VectorXd lambda;            ///< [constraint_count]
  Eigen::VectorXd constraint;        ///< of velocities, then of positions
  Eigen::MatrixXd constraint_slope;  ///< [.. x size]
  Eigen::RowVectorXd energy_slope;   ///< [size]
  Eigen::VectorXd kept;
  Eigen::MatrixXd kept_slope;  ///< [.. x size]
  /// Velocities in the body frame of right translations: Ad of the inverse, [dof x dof], zero for
  /// lines and angles.
  Eigen::MatrixXd right_translation;

  bool is_finite() const;
};

/// Entries of a matrix that are not zero by their form, among the outputs of a function.
struct SparseOutputs {
  Eigen::Index rows = 0, columns = 0;
  std::vector<std::pair<Eigen::Index, Eigen::Index>> places = {};
  std::size_t first = 0;

  Eigen::MatrixXd in(std::span<const double> outputs) const;
};

class MotionSlopes {
 public:
  MotionSlopes(const System& system, const std::vector<SensitiveQuantity>& keep);

  Eigen::Index size() const { return size_; }
  void set_parameters(std::span<const double> parameters);
  MotionValues operator()(std::span<const double> q, std::span<const double> v);

 private:
  /// Values and slopes by stored numbers, velocities, accelerations and multipliers.
  struct Block {
    SparseOutputs values, by_position, by_velocity, by_solution;
  };
  Block add(const Vector& values, const Vector& solution);
  SparseOutputs add_matrix(const Vector& values, const Vector& by);
  SparseOutputs add_dense(const Vector& entries, std::size_t rows, std::size_t columns);
  /// The slope of a block along changes of the state, [rows x size].
  Eigen::MatrixXd slope(const Block& block, std::span<const double> outputs,
                        const Eigen::MatrixXd& frame) const;

  System system_;
  Symbols symbols_;
  Vector outputs_;
  Eigen::Index size_ = 0, dof_ = 0;
  Block motion_, constraint_, energy_, kept_;
  SparseOutputs frame_, right_translation_;
  StateFunction<double> function_;
  std::size_t solution_count_ = 0;
};

}  // namespace dalembert
