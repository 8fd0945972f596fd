#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/study/run_study.hpp"

namespace dalembert {

/// Checks a picture before anything is computed: RequestError for an extension other than .svg,
/// .png, .pdf and for unknown quantities; OutputError where the file cannot be written or the
/// program gnuplot is missing.
void check_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::vector<RunPlan>& plans);

/// Draws results: a panel for each quantity and each start, parameters and step; a curve for each
/// method. Errors are shown in absolute value on a logarithmic scale, with what is below round-off
/// drawn at round-off. Needs the records of the results.
void write_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::string& title, const std::vector<RunPlan>& plans,
                const std::vector<RunResult>& results);

/// One curve: times and values.
struct Curve {
  std::vector<double> t, values;
};

/// The mean over a window of time centred at each point; only where the whole window lies inside
/// the data.
Curve running_mean(const Curve& curve, double width);

/// The largest value of each of so many stretches of the curve, where it is.
Curve upper_envelope(const Curve& curve, std::size_t stretches);

/// At most about `points` points, keeping the least and the largest value of every stretch.
Curve thinned(const Curve& curve, std::size_t points);

}  // namespace dalembert
