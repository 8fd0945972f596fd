#pragma once
// What commands of analyses have in common.

#include "app/arguments/study_arguments.hpp"
#include "dalembert/analysis/analysis.hpp"

namespace dalembert::app {

/// Adds the options of the page of an analysis, those of its outputs and its help.
void add_analysis_options(CLI::App& command, const study::Analysis& analysis,
                          StudyArguments& arguments);

/// Analyses a study and writes what was asked for; returns the exit code.
int conduct(const study::Analysis& analysis, const study::Study& study,
            const StudyArguments& arguments);

}  // namespace dalembert::app
