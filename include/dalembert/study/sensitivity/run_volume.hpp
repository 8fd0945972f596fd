#pragma once

#include "dalembert/sensitivity/volume.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// Change of the volume of the constraint set by the steps of a run, beside the motion from the
/// same start.
struct RunVolume {
  RunPlan plan;                    ///< the run
  VolumeHistory history, motion;   ///< along the run, and along the motion
  VolumeJudgement judgement = {};  ///< of whole histories

  /// True if both histories are complete; only then there is a judgement.
  bool ok() const { return history.ok() && motion.ok(); }
  /// The logarithm of the volume less that of the motion, at the samples that both have.
  Series beyond_motion() const;
};

/// Follows a run and its motion, and judges. `options` says all but step, end and parameters.
/// `before`: a run whose motion may be the same, which then is not followed again. RequestError as
/// `volume_along`.
RunVolume volume_of_run(const RunPlan& plan, VolumeOptions options,
                        const RunVolume* before = nullptr);

}  // namespace dalembert::study
