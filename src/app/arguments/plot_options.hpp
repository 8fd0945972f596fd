#pragma once
// Options that say what a picture shows and how it looks, for every subcommand that draws one.

#include <string>
#include <utility>
#include <vector>

#include "dalembert/study/study_file.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace dalembert::app {

/// What stands on the command line, before it is read.
struct LookOptions {
  std::string size, x_range, y_range;
  study::PictureLook look;
  bool no_legend = false;
};
struct PlotOptions {
  study::PlotRequest request;
  std::vector<std::pair<std::string, std::string>> paths;
  LookOptions look;
  bool error = false, equal = false, no_equal = false;
};

/// Adds --size, --font-size, --x-range, --y-range, --title, --x-label, --y-label and --no-legend,
/// which need --plot.
void add_look_options(CLI::App& command, LookOptions& options);
/// Adds these and --quantity, --path, --section, ...: what a picture shows.
void add_plot_options(CLI::App& command, PlotOptions& options);

/// The look that was asked for. RequestError for a size or a range that is none.
study::PictureLook asked_look(const LookOptions& options);
/// What a study shows, with what was asked for instead or beside. RequestError for a contradiction.
study::PlotRequest asked_plot(const study::PlotRequest& of_study, const PlotOptions& options);

}  // namespace dalembert::app
