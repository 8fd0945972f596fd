#pragma once

#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/sensitivity/run_volume.hpp"

namespace dalembert::study {

/// "keeps it in every step", "keeps it", "loses it", "slowly loses it" or "undecided"; where the
/// motion keeps no volume "as the motion", "not as the motion".
std::string volume_verdict(const RunVolume& run);

/// A row for each run, one below the other by problem and start: of which set, of the constraints
/// or of these and the multipliers; mean rate of the logarithm of the volume, that of the motion,
/// their difference with its interval, the verdict.
std::string volume_table(const std::vector<RunVolume>& runs);
std::string volume_json(const std::vector<RunVolume>& runs);
/// The log volume less that of the motion against time, a panel for each problem and start.
Picture volume_picture(const std::string& title, const std::vector<RunVolume>& runs);

}  // namespace dalembert::study
