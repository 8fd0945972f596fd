#pragma once

#include <string>
#include <vector>

#include "dalembert/report/modified_analysis.hpp"

namespace dalembert::study {

/// Tables for people.
std::string modified_text(const std::vector<ModifiedAnalysis>& analyses);
std::string modified_json(const std::vector<ModifiedAnalysis>& analyses);
/// A row for each point.
std::string modified_csv(const std::vector<ModifiedAnalysis>& analyses);

}  // namespace dalembert::study
