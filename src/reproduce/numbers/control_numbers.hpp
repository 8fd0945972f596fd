#pragma once

#include "dalembert/document/node.hpp"
#include "demand.hpp"

namespace dalembert::reproduce {

/// Optimal controls of the runs of a study, of measure = "controls".
ExperimentCode read_control_numbers(const StudyEntry& entry, study::TableReader& table,
                                    const study::DocumentNode& numbers);

}  // namespace dalembert::reproduce
