#pragma once

#include <string>
#include <vector>

#include "dalembert/run/event/event.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// The columns of a table of what has happened at an event of a plan: t, positions, velocities,
/// those after the event where it changes the state ("x_after"), and `rising`, 1 or 0.
std::vector<std::string> event_columns(const RunPlan& plan, std::size_t event);
/// The units of these columns, "" where unknown.
std::vector<std::string> event_units(const RunPlan& plan, std::size_t event);
/// A row of the table, at the end of `rows`.
void append_event_row(const RunPlan& plan, const EventOccurrence& occurrence,
                      std::vector<double>& rows);

}  // namespace dalembert::study
