#pragma once

#include "dalembert/document/node.hpp"
#include "demand.hpp"

namespace dalembert::reproduce {

/// Orders by step halving, of measure = "orders".
ExperimentCode read_order_numbers(const StudyEntry& entry, study::TableReader& table,
                                  const study::DocumentNode& numbers);

}  // namespace dalembert::reproduce
