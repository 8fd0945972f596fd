#pragma once
// What [plot] of a study asks for. For the sources of studies and for the command line.

#include <string>

#include "dalembert/document/node.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// The table [plot]; nothing is asked for without it. RequestError with the place of what is wrong.
PlotRequest read_plot(const DocumentNode* node);

/// Why what is asked for does not go together, as a clause; "" if it does.
std::string contradiction(const PlotRequest& request);

}  // namespace dalembert::study
