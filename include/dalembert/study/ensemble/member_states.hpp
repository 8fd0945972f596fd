#pragma once

#include <span>
#include <vector>

#include "dalembert/step/member_points.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"

namespace dalembert::study {

/// States of all members as results show them: angles unwrapped, forces as multipliers.
class MemberStates {
 public:
  /// The points of those members that have a start, in their order; of none, where `points` is
  /// empty.
  MemberStates(const EnsemblePlan& plan, const MemberPoints& points);

  std::size_t size() const { return t_.size(); }  ///< members, with or without a start
  /// The time of a member's state. 0 for members without a start, whose spans are empty.
  double t(std::size_t member) const { return t_[member]; }
  /// Stored positions of a member, angles unwrapped.
  std::span<const double> q(std::size_t member) const { return q_.of(member, has_[member]); }
  /// Velocities of a member.
  std::span<const double> v(std::size_t member) const { return v_.of(member, has_[member]); }
  /// Multipliers of a member: those of the method, or of the motion where the method has none.
  std::span<const double> lambda(std::size_t member) const {
    return lambda_.of(member, has_[member]);
  }
  using Part = std::span<const double> (MemberStates::*)(std::size_t) const;

 private:
  struct Rows {
    std::size_t width;            ///< numbers of a member
    std::vector<double> numbers;  ///< [members x width]

    /// The row of a member; empty unless it has one.
    std::span<const double> of(std::size_t member, bool has) const {
      return std::span(numbers).subspan(member * width, has ? width : 0);
    }
    /// The row of a member, to be written.
    std::span<double> row(std::size_t member) {
      return std::span(numbers).subspan(member * width, width);
    }
  };
  static Rows rows(std::size_t members, std::size_t width) {
    return {width, std::vector<double>(members * width)};
  }

  std::vector<double> t_;
  std::vector<bool> has_;
  Rows q_, v_, lambda_;
};

/// The points of those members that have a start, at it.
MemberPoints start_points(const EnsemblePlan& plan);

/// The states of all members at their start.
MemberStates initial_states(const EnsemblePlan& plan);
/// The last states of all members, after the shorter last step if there is one.
MemberStates final_states(const EnsemblePlan& plan, const EnsembleResult& result);

}  // namespace dalembert::study
