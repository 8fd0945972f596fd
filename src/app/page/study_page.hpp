#pragma once
// The page about a study.

#include <string>

#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

/// What a study runs: its problem, starts, parameters, methods, steps and end, and what it follows.
std::string study_page(const study::Study& study);

}  // namespace dalembert::app
