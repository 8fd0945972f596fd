#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/measure/drift.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/run/simulate.hpp"

namespace dalembert {

/// Options of volume_along and volume_along_motion.
struct VolumeOptions {
  double step = 0.0;            ///< size h of a step; must be given
  double until = 0.0;           ///< the final time, rounded down to a number of steps
  std::size_t samples = 2000;   ///< number to keep, at equal distances; up to twice as many may be
  NamedValues parameters = {};  ///< instead of the system's defaults and of what the start sets
  std::atomic<bool>* cancelled = nullptr;            ///< set it to stop
  std::atomic<std::uint64_t>* steps_done = nullptr;  ///< counts steps
};

/// Change of the volume of the constraint set around a run by its steps.
struct VolumeHistory {
  /// End of the run: as asked, failed (see `message`), or by `cancelled`.
  enum class Status { ok, failed, stopped } status = Status::ok;
  std::string message = {};      ///< one sentence when a step was refused
  std::uint64_t steps = 0;       ///< completed
  std::size_t dimension = 0;     ///< of the set whose volume is followed
  bool with_multiplier = false;  ///< true: the set is that of states with carried multipliers
  /// Logarithm of the factor by which steps have changed the volume up to t, at 0 and each sample.
  std::vector<double> t = {}, log_volume = {};

  /// True if the run went to its end.
  bool ok() const { return status == Status::ok; }
};

/// Limit of round-off in the logarithm of the volume over all steps of a history: 1e-14 a step.
double volume_round_off(const VolumeHistory& history);

/// Reason for which the volume of the constraint set of a system cannot be followed with this
/// method: its states leave the constraints. Nothing if it can.
std::optional<std::string> volume_misfit(const Method& method, const System& system);

/// The logarithm of the determinant of the steps, as maps of the constraint set, summed along a
/// run. By exact tangents of the discrete map along the constraint set. The volume is that of
/// displacements (in the body frame on groups) times that of velocities, both in the metric of the
/// mass, as in the audit; in skew-gradient form that of the stored numbers. A method that carries
/// its multiplier is a map of states with multipliers, whose volume then has them as coordinates,
/// in the metric of the accelerations that they make.
///
/// Any other smooth volume differs by a function of the state: what stays between bounds, or does
/// not, is the same for all of them where the motion is bounded.
///
/// Accuracy: round-off, some 1e-15 in each step. RequestError for what `simulate` refuses, for a
/// method of `volume_misfit` or one whose q and v depend on what it carries beside multipliers, and
/// for problems with events that change the state or end the run.
VolumeHistory volume_along(const Problem& problem, const Method& method, const StartChoice& start,
                           const VolumeOptions& options);

/// Volume along the motion itself: of Gauss collocation of order 12 with half the step, brought
/// back to the constraints.
VolumeHistory volume_along_motion(const Problem& problem, const StartChoice& start,
                                  const VolumeOptions& options);

/// Comparison of the volume under a method with that under the motion.
struct VolumeJudgement {
  Drift of_motion;   ///< of its log volume: without a slope the motion keeps a volume
  Drift difference;  ///< of the method's log volume less that of the motion
  /// Of the difference. `free`: what the method does beyond the motion stays between bounds, as
  /// that of a method does that keeps a smooth volume near the motion's; `drifts` and `slow`: it
  /// does not, at the rate of the slope; `undecided` also where the interval of 95 % leaves out
  /// zero, or where the motion has a rate of its own and the difference may be a tenth of it.
  DriftVerdict verdict = DriftVerdict::undecided;
  bool motion_keeps = false;  ///< true if the motion's own slope is free of drift
  bool every_step = false;  ///< true if the method changes the volume by round-off only, all along
};

/// Both histories at the same times, `ok` and of 12 samples or more; RequestError otherwise.
///
/// A method keeps a smooth volume if and only if the sums over all orbits are bounded (they are the
/// difference of a function at the ends); a mean rate that is surely not zero on one orbit says
/// that it keeps none, whatever its density. Bounded sums on one orbit say no more than that.
/// Source: the sums are a cocycle over the map; that it is bounded where it is a coboundary is
/// plain.
VolumeJudgement judge_volume(const VolumeHistory& method, const VolumeHistory& motion);

}  // namespace dalembert
