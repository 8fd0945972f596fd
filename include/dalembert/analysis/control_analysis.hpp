#pragma once

#include <string>
#include <vector>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/control/optimal_control.hpp"
#include "dalembert/picture/picture.hpp"

namespace dalembert::study {

/// Optimal controls: see optimal_control.
Analysis control_analysis();

/// The motion, and a panel for each control.
Picture control_picture(const PlotRequest& request, const std::string& title,
                        const std::vector<RunPlan>& plans,
                        const std::vector<OptimalControl>& results);

}  // namespace dalembert::study
