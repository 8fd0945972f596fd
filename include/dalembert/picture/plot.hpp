#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/picture/picture_records.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Plot that a study asks for. By default the error of what its problem keeps, the energy or the
/// moving energy, and for systems on groups the motion in space: paths of places in the plane, and
/// of the axes of rotations, seen from above. Where forces or time change the energy the motion
/// alone: in the plane of x and y where these are coordinates, else the first six coordinates
/// against time.
PlotRequest shown_by(const Study& study, const std::vector<RunPlan>& plans);

/// Checks a picture before anything is computed: RequestError for an extension other than .svg,
/// .png, .pdf, for unknown quantities and where it cannot look as asked for; OutputError where the
/// file cannot be written or the program gnuplot is missing. The title takes room.
void check_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::vector<RunPlan>& plans, const std::string& title = "");

/// Results as a picture: a panel for each quantity and each start, parameters and step; a curve for
/// each method. Errors are shown in absolute value on a logarithmic scale, with what is below
/// round-off drawn at round-off. Needs the records of the results.
Picture picture_of_runs(const PlotRequest& request, const std::string& title,
                        const std::vector<RunPlan>& plans, const std::vector<RunResult>& results);

/// Picture from what was kept of the records while the runs went on.
Picture picture_of_runs(const PlotRequest& request, const std::string& title,
                        const std::vector<RunPlan>& plans, const std::vector<RunResult>& results,
                        const PictureRecords& kept);

/// Draws that picture to a file.
void write_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::string& title, const std::vector<RunPlan>& plans,
                const std::vector<RunResult>& results);

}  // namespace dalembert::study
