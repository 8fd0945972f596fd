#pragma once

#include <string>
#include <vector>

#include "dalembert/study/modified/analyse_modified.hpp"

namespace dalembert::study {

/// Tables for people.
std::string modified_text(const std::vector<ModifiedAnalysis>& analyses);
/// All numbers, an entry for each analysis.
std::string modified_json(const std::vector<ModifiedAnalysis>& analyses);
/// A row for each point.
std::string modified_csv(const std::vector<ModifiedAnalysis>& analyses);

}  // namespace dalembert::study
