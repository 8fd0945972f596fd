#include "event_choice.hpp"

#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/run/event/event_advance.hpp"

namespace dalembert::study {
namespace {

/// Whether the motion begins where an impact would have kept it from coming.
void check_side(const RunPlan& plan, const EventEntry& entry, double value, double rate) {
  const bool falling = entry.direction == Direction::falling;
  if (!entry.impact || entry.direction == Direction::both || plan.q.empty()) return;
  // Round-off of a start that touches.
  const double touching = 1e-9 * (1.0 + plan.step * std::fabs(rate));
  if (!(falling ? value < -touching : value > touching)) return;
  entry.of.refuse("is " + to_string(value) + " at the start, beyond the impact \"" + entry.name +
                  "\", which takes place where it is " + (falling ? "falling" : "rising") +
                  " through zero; a start needs a value " + (falling ? ">= 0" : "<= 0"));
}

}  // namespace

void check_events(const Study& study, const RunPlan& plan) {
  if (plan.events.empty()) return;
  if (plan.has_acting_events() && !study.diagnostics.sections.empty())
    throw RequestError(study.diagnostics.sections.front().place.text(),
                       "a section finds its crossings on smooth motions, not beside events that "
                       "change the state; follow the same expression by an [[event]]");
  try {
    Stepper stepper(plan.program, plan.step, plan.parameters);
    const EventAdvance advance(stepper, {plan.system, plan.events, plan.parameters},
                               plan.parameters);
  } catch (const RequestError& error) {
    throw error.at(plan.method.place.text());
  }
  if (plan.q.empty()) return;
  EventFunctions functions(plan.system, plan.events, plan.parameters);
  const std::span<const double> values = functions.values(0.0, plan.q, plan.v);
  for (std::size_t i = 0; i < plan.events.size(); ++i)
    check_side(plan, study.events[i], values[2 * i], values[2 * i + 1]);
}

}  // namespace dalembert::study
