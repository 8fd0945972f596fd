#pragma once

#include <vector>

#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// What App. A says of single steps of the methods: equal forms, and what is symplectic.
std::vector<ClaimFinding> modin_verdier_identities();

}  // namespace dalembert::reproduce
