#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Looks at the states of a motion for times at which the constraint matrix loses rank, or the
/// mass along the velocities that the constraints leave free becomes singular. There the equations
/// of motion have no unique solution, and what comes after them means nothing, although a method
/// may step over such a place without noticing. One per trajectory; `see` does not allocate.
class RankWatch {
 public:
  /// Parameters in the order of the description; the defaults if empty. RequestError if their
  /// number is wrong. Systems with more than 64 unknown accelerations and multipliers, and those in
  /// skew-gradient form, are not looked at.
  explicit RankWatch(const System& system, std::span<const double> parameters = {});

  /// The next state, [storage_count] and [dof]. The mass needs more work than the constraints and
  /// may be looked at less often: between two looks it is noticed if it changes its sign.
  void see(double t, std::span<const double> q, std::span<const double> v, bool with_mass = true);

  /// True if the constraints can lose rank at all: not where they are constant or solved for
  /// velocities of their own, as those of rolling often are.
  bool sees_constraints() const { return rows_.output_count() > 0; }

  /// When the constraints were first dependent: a row, relative to its size before, and apart from
  /// its part along other rows, was below 1e-6, or changed its direction to the opposite between
  /// two looks while it was small; on lines and angles also on the cubic between the two, since
  /// rows may turn round in a long step.
  std::optional<double> dependent_constraints() const { return dependent_constraints_; }
  /// When the mass was first singular along the constraints, or between these and reactions with
  /// directions of their own: a pivot of the equations for accelerations and multipliers was below
  /// 1e-13 of the largest, or their determinant has changed its sign.
  std::optional<double> singular_mass() const { return singular_mass_; }

 private:
  void see_constraints(double t, std::span<const double> q, std::span<const double> v);
  bool look_at_rows();
  bool turns_on_the_way(double t, std::span<const double> q, std::span<const double> v);
  void see_mass(double t, std::span<const double> found);
  bool scale_rows();

  std::size_t dof_ = 0, count_ = 0;
  bool has_own_reactions_ = false;  ///< rows of B^T after those of A
  StateFunction<double> rows_, equations_;
  std::vector<double> sizes_;  ///< of rows, the largest so far
  std::vector<double> rows_now_, rows_before_, rows_first_, products_, matrix_, pivots_;
  double t_before_ = 0.0;
  std::vector<double> q_before_, v_before_, q_between_, v_between_;
  std::vector<bool> is_angle_;  ///< of stored numbers; empty where they are not those of lines
  double smallest_before_ = 1.0, sign_before_ = 0.0;
  bool has_before_ = false;
  std::optional<double> dependent_constraints_, singular_mass_;
};

}  // namespace dalembert
