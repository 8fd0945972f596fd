#pragma once
// What may be differentiated. Only for the sources of this room.

#include "dalembert/mechanics/problem.hpp"

namespace dalembert {

/// RequestError where an event changes the state or ends the run.
void refuse_acting_events(const Problem& problem);

}  // namespace dalembert
