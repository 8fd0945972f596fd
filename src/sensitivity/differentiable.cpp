#include "dalembert/sensitivity/differentiable.hpp"

#include "dalembert/error.hpp"

namespace dalembert {

void refuse_acting_events(const Problem& problem) {
  for (const Event& event : problem.events) {
    if (!event.acts() && event.stop_after == 0) continue;
    throw RequestError("event \"" + event.name + "\" of system \"" + problem.system.name() +
                       "\" changes the state or ends the run; derivatives are those of the steps "
                       "alone, so leave it out");
  }
}

}  // namespace dalembert
