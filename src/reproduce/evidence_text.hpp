#pragma once
// Measured numbers in words. Only for the sources of this room.

#include <string>

#include "dalembert/claims/verdict.hpp"

namespace dalembert::reproduce {

/// "both", "published", "qualified", "shown".
std::string role_text(study::EvidenceRole role);
/// "2.00 +- 0.01".
std::string measured_text(const study::Evidence& evidence);
/// "1.9 to 2.1", "at most 1e-12 for the statement"; empty for a number that is only shown.
std::string bounds_text(const study::Evidence& evidence);
/// What, the number and its bounds.
std::string evidence_text(const study::Evidence& evidence);

}  // namespace dalembert::reproduce
