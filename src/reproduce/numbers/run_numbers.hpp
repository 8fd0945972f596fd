#pragma once

#include "dalembert/document/node.hpp"
#include "demand.hpp"

namespace dalembert::reproduce {

/// What the records of runs show, of measure = "runs".
ExperimentCode read_run_numbers(const StudyEntry& entry, const study::DocumentNode& numbers);

}  // namespace dalembert::reproduce
