#pragma once
// What may be differentiated. Only for the sources of this room.

#include <vector>

#include "dalembert/mechanics/problem.hpp"

namespace dalembert {

/// RequestError where an event changes the state or ends the run.
void refuse_acting_events(const Problem& problem);

/// The parameters of a run: those given, then those of the start, then the defaults.
std::vector<double> parameters_of_run(const System& system, const Start& start,
                                      const NamedValues& given);

}  // namespace dalembert
