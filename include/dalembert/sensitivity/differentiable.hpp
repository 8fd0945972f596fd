#pragma once

#include "dalembert/mechanics/problem.hpp"

namespace dalembert {

/// Derivatives are those of the steps alone: RequestError where an event of the problem changes the
/// state or ends the run.
void refuse_acting_events(const Problem& problem);

}  // namespace dalembert
