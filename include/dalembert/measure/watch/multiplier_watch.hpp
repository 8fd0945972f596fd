#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/measure/watch/departure.hpp"
#include "dalembert/mechanics/evaluator.hpp"

namespace dalembert {

/// Looks at the states of a run for the time at which a multiplier that a method carries from step
/// to step has left the one that the motion through the state has: the two differ by more than
/// `allowed` of the largest that the latter has been. Errors of carried multipliers are not damped,
/// and grow where motions approach an equilibrium, while constraints and energy may look right.
/// Differences that are round-off of a long run, whose reactions do no visible work in a step, do
/// not count. One per trajectory; `see` does not allocate.
class MultiplierWatch {
 public:
  static constexpr double allowed = 0.1;  ///< part of the largest multiplier of the motion
  /// Steps between two looks, where nothing is recorded.
  static constexpr std::uint64_t steps_between_looks = 256;

  /// Nothing is looked at.
  MultiplierWatch() = default;
  /// The multipliers of constraints on velocities of a system, in steps of size `step`. Parameters
  /// in the order of the description; the defaults if empty. RequestError if their number is
  /// wrong. `before`: what was found up to the state from which a run goes on.
  MultiplierWatch(const System& system, std::span<const double> parameters, double step,
                  std::vector<Departure> before = {});

  bool is_empty() const { return found_.empty(); }  ///< true: nothing is looked at
  /// The next state, [storage_count] and [dof], and the multipliers that the method reports there,
  /// [constraint_count]. `terms`: the sizes of kinetic energy and of the terms of constraints.
  void see(double t, std::span<const double> q, std::span<const double> v,
           std::span<const double> carried, const Departures& terms);
  /// One per constraint on velocities; terms: the largest multiplier of the motion.
  const std::vector<Departure>& found() const { return found_; }

 private:
  std::optional<Evaluator> evaluator_;
  double step_ = 0.0;
  std::vector<Departure> found_;
  std::vector<double> motion_;
};

/// The multiplier that has gone furthest, against that of the motion; nothing where none has left
/// it. `found` is one per constraint on velocities, as of a MultiplierWatch.
std::optional<std::size_t> furthest_multiplier(std::span<const Departure> found);
/// In words: "the carried multiplier lambda_1 has left that of the motion (330 times ...): ..."; ""
/// where none has.
std::string left_multiplier_text(std::span<const std::string> names,
                                 std::span<const Departure> found);

}  // namespace dalembert
