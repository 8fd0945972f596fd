#include "event_choice.hpp"

#include "dalembert/error.hpp"
#include "dalembert/mechanics/rank/redundancy.hpp"
#include "dalembert/problem/system_scope.hpp"
#include "dalembert/run/event/event.hpp"

namespace dalembert::study {

void check_events(const Study& study, const RunPlan& plan) {
  if (plan.events.empty()) return;
  if (plan.has_acting_events() && !study.diagnostics.sections.empty())
    throw RequestError(study.diagnostics.sections.front().place.text(),
                       "a section finds its crossings on smooth motions, not beside events that "
                       "change the state; follow the same expression by an [[event]]");
  if (study.ensemble) {
    for (std::size_t i = 0; i < plan.events.size(); ++i) {
      try {
        check_member_event(plan.events[i]);
      } catch (const RequestError& error) {
        throw error.at(study.events[i].place.text());
      }
    }
  }
  for (const EventEntry& entry : study.events)
    if (plan.redundancy && mentions_reactions(entry.of, study.problem))
      entry.of.refuse("names a multiplier or an acceleration, and here " +
                      constraint_list(plan.redundancy->all(), plan.redundancy->left_out()) +
                      " follow from others, so that several share one reaction");
  if (plan.q.empty()) return;
  EventFunctions functions(plan.system, plan.events, plan.parameters);
  for (std::size_t i = 0; i < plan.events.size(); ++i)
    if (const auto beyond = functions.beyond(i, plan.q, plan.v, plan.step))
      throw RequestError(study.events[i].place.text(), *beyond);
}

}  // namespace dalembert::study
