#pragma once
// Symmetries of the equations of motion, found in numbers.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/group/displacement.hpp"
#include "linearisation/motion_slopes.hpp"
#include "linearisation/own_eigen.hpp"

namespace dalembert {

/// A vector field on a configuration space with the motions that it lifts to, as numbers. All
/// entries are those of velocities in the body frame, [dof].
struct SymmetryField {
  Eigen::MatrixXd linear;       ///< lines: the field is linear x + constant
  Eigen::VectorXd constant;     ///< lines and angles
  Eigen::VectorXd left, right;  ///< groups: the same in the body frame; in the frame of space

  static SymmetryField zero(Eigen::Index dof);
  SymmetryField& add(double factor, const SymmetryField& other);
};

/// What fields need to know of a configuration space.
class FieldGeometry {
 public:
  explicit FieldGeometry(const System& system);

  Eigen::Index dof() const { return dof_; }
  /// Which velocities are those of lines, of angles, of groups.
  const std::vector<Eigen::Index>& lines() const { return lines_; }
  const std::vector<Eigen::Index>& flat() const { return flat_; }
  const std::vector<Eigen::Index>& group() const { return group_; }

  /// The change of the state along a field, [dof + velocities].
  Eigen::VectorXd lifted(const SymmetryField& field, std::span<const double> q,
                         std::span<const double> v, const MotionValues& values) const;
  /// The derivative of its entries by the state, [size x size].
  Eigen::MatrixXd slope(const SymmetryField& field, const MotionValues& values) const;
  /// As "-y d/dx + x d/dy + d/dpsi".
  std::string text(const SymmetryField& field) const;

 private:
  /// [a, b] in the algebra of the groups.
  Eigen::VectorXd bracket(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;
  Eigen::MatrixXd bracket_matrix(const Eigen::VectorXd& a) const;

  Eigen::Index dof_ = 0;
  bool has_velocities_ = true;
  std::vector<Eigen::Index> lines_, flat_, group_, stored_;  ///< stored_: place in q, by velocity
  std::vector<Eigen::MatrixXd> brackets_;                    ///< of unit vectors: columns by b
  std::vector<std::string> names_;
};

/// Moves states on the constraints.
class StateMover {
 public:
  StateMover(const System& system, MotionSlopes& slopes);

  struct State {
    std::vector<double> q, v;
  };
  /// Changed by a displacement and a change of velocity, [size].
  State moved(const State& state, const Eigen::VectorXd& change);
  /// Brought to the constraints; false where Newton's iteration does not find them.
  bool settle(State& state, MotionValues& values);

 private:
  MotionSlopes& slopes_;
  Displacement<> displacement_;
  Eigen::Index dof_;
};

/// A basis of the symmetries of a system at its parameters, at states near a given one. Nothing
/// where too few such states are found to tell.
std::optional<std::vector<SymmetryField>> find_symmetries(const FieldGeometry& geometry,
                                                          MotionSlopes& slopes, StateMover& mover,
                                                          const StateMover::State& near);

}  // namespace dalembert
