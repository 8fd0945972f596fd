#pragma once
// What of a paper's experiments only code can measure. Only for the sources of this room.

#include <string>
#include <utility>
#include <vector>

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// By the name of the experiment in the paper's file.
using PaperCode = std::vector<std::pair<std::string, ExperimentCode>>;

/// That of a paper by the folder of its studies; none for papers that are data alone.
PaperCode code_of_paper(const std::string& name);

}  // namespace dalembert::reproduce
