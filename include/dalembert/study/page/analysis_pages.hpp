#pragma once

#include <string>
#include <vector>

#include "dalembert/sensitivity/lyapunov.hpp"
#include "dalembert/sensitivity/volume.hpp"
#include "dalembert/study/page/page.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"

namespace dalembert::study {

/// The tables [sensitivity], [lyapunov] and [volume] of a study.
const Page<SensitivityChoice>& sensitivity_page();
const Page<LyapunovOptions>& lyapunov_page();
const Page<VolumeOptions>& volume_page();

/// All pages of analyses: tables that a study may have, each read when its analysis is asked for.
const std::vector<PageInfo>& analysis_pages();

}  // namespace dalembert::study
