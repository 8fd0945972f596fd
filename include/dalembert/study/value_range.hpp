#pragma once

#include <vector>

#include "dalembert/document/node.hpp"

namespace dalembert::study {

/// The values at a key that may hold several: a list, a single value, or a range
/// `{ from = 0.1, to = 1, count = 10 }`, both ends included, with `spacing = "logarithmic"` for a
/// constant ratio. RequestError for a range that is none.
std::vector<DocumentNode> as_values(const DocumentNode& node);

}  // namespace dalembert::study
