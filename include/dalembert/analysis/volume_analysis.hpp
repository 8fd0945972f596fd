#pragma once

#include <string>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/study/sensitivity/run_volume.hpp"

namespace dalembert::study {

/// Whether steps keep a volume of the constraint set: see volume_along and judge_volume.
Analysis volume_analysis();

/// "keeps it in every step", "keeps it", "loses it", "slowly loses it" or "undecided"; where the
/// motion keeps no volume "as the motion", "not as the motion".
std::string volume_verdict(const RunVolume& run);

/// What was found of a run.
Finding found_volume(const RunVolume& run);

}  // namespace dalembert::study
