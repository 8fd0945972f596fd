#include "dalembert/study/execution/event_table.hpp"

namespace dalembert::study {

std::vector<std::string> event_columns(const RunPlan& plan, std::size_t event) {
  const auto motion = plan.columns.motion_names();
  std::vector<std::string> names(motion.begin(), motion.end());
  if (plan.events[event].acts()) {
    for (const std::string& name : motion.subspan(1)) names.push_back(name + "_after");
  }
  names.emplace_back("rising");
  return names;
}

std::vector<std::string> event_units(const RunPlan& plan, std::size_t event) {
  std::vector<std::string> units;
  const std::size_t count = plan.columns.motion_names().size();
  for (std::size_t i = 0; i < count; ++i) units.push_back(plan.columns.unit(i));
  for (std::size_t i = 1; i < count && plan.events[event].acts(); ++i)
    units.push_back(plan.columns.unit(i));
  const bool is_whole = units.front() == "nondimensional";
  units.emplace_back(is_whole ? "nondimensional" : "");
  return units;
}

void append_event_row(const RunPlan& plan, const EventOccurrence& occurrence,
                      std::vector<double>& rows) {
  const auto add = [&rows](const std::vector<double>& part) {
    rows.insert(rows.end(), part.begin(), part.end());
  };
  rows.push_back(occurrence.t);
  add(occurrence.q);
  add(occurrence.v);
  if (plan.events[occurrence.event].acts()) {
    add(occurrence.q_after);
    add(occurrence.v_after);
  }
  rows.push_back(occurrence.rising ? 1.0 : 0.0);
}

}  // namespace dalembert::study
