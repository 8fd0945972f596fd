#pragma once
// Options that say what a picture shows and how it looks, for every subcommand that draws one.

#include "app/arguments/page_options.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

/// Adds an option for each key of look_page, which need --plot.
void add_look_options(CLI::App& command, OptionValues& values);
/// Adds these and options for what a picture shows.
void add_plot_options(CLI::App& command, OptionValues& values);

/// Request of a study, with what was asked for instead or beside. RequestError for a contradiction,
/// and for a value that is wrong.
study::PlotRequest asked_plot(const study::PlotRequest& of_study, const OptionValues& values);

}  // namespace dalembert::app
