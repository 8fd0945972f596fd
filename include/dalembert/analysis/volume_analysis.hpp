#pragma once

#include <string>
#include <vector>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/analysis/finding.hpp"
#include "dalembert/study/sensitivity/run_volume.hpp"

namespace dalembert::study {

/// Volume of the constraint set along steps, beside the motion: see volume_along and judge_volume.
Analysis volume_analysis();

/// "keeps it in every step", "keeps it", "loses it", "slowly loses it" or "undecided"; where the
/// motion keeps no volume "as the motion", "not as the motion".
std::string volume_verdict(const RunVolume& run);

/// Finding of a run that was followed.
Finding found_volume(const RunVolume& run);
/// Logarithm of the volume, less that of the motion.
std::vector<FoundLine> volume_lines(const RunPlan& plan, const LabelledTable& table);

}  // namespace dalembert::study
