#pragma once

#include "dalembert/document/node.hpp"
#include "demand.hpp"

namespace dalembert::reproduce {

/// What single steps keep in wide numbers, of measure = "exactness".
ExperimentCode read_exactness_numbers(const StudyEntry& entry, const study::DocumentNode& numbers);

}  // namespace dalembert::reproduce
