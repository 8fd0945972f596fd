#pragma once
// What [plot] of a study asks for. For the sources of studies and for the command line.

#include <string>

#include "dalembert/document/node.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// The table [plot]; nothing is asked for without it. RequestError with the place of what is wrong.
PlotRequest read_plot(const DocumentNode* node);

/// What a study shows, changed as a table [plot] of the command line asks: where that names what is
/// shown, this alone; where it only says how, the same in that manner. RequestError for what is
/// wrong.
PlotRequest with_changes(PlotRequest shown, const DocumentNode& asked);

}  // namespace dalembert::study
