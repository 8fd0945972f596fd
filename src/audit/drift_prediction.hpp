#pragma once
// What the step map says of the drifts of a long run. Only for the sources of this room.

#include <vector>

#include "dalembert/audit/drift.hpp"

namespace dalembert {

/// Sets `predicted` of the findings of a run; see audit_long_run.
void predict_drifts(const LongRun& run, const Method& method, std::vector<DriftFinding>& findings);

}  // namespace dalembert
