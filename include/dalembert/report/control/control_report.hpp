#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/control/optimise_run.hpp"

namespace dalembert::study {

/// "minimum", "family" or "saddle".
const char* extremum_word(Extremum extremum);

/// A row for each run: the least cost, whether it is a minimum, how exactly the equations hold, how
/// many searches found it. `width`: of the terminal, 0 without limit.
std::string control_table(const std::vector<RunPlan>& plans,
                          const std::vector<OptimalControl>& results, std::size_t width = 0);
/// Everything: nodes, states, controls of steps, costates.
std::string control_json(const std::vector<RunPlan>& plans,
                         const std::vector<OptimalControl>& results);
/// A line for each node: the columns of a run, controls, costates.
std::string control_csv(const std::vector<RunPlan>& plans,
                        const std::vector<OptimalControl>& results);

/// What a picture shows: what the study asks for, else the motion in the plane or its coordinates.
/// RequestError, before anything is computed, for quantities that a motion does not have.
PlotRequest control_plot(const std::filesystem::path& path, const Study& study,
                         const PlotRequest& asked, const std::vector<RunPlan>& plans);
/// The motion, and a panel for each control.
Picture control_picture(const PlotRequest& request, const std::string& title,
                        const std::vector<RunPlan>& plans,
                        const std::vector<OptimalControl>& results);

}  // namespace dalembert::study
