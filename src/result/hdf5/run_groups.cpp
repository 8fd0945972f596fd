#include "run_groups.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

std::vector<RecordPart> record_parts(const RecordColumns& columns) {
  std::vector<RecordPart> parts{
      {"t", "time", 0, 1, true},
      {"q", "coordinates, angles unwrapped", columns.q_begin(), columns.q_count, false},
      {"energy", "energy", columns.energy(), 1, true},
      {"constraint", "largest absolute value of a constraint", columns.constraint(), 1, true}};
  if (columns.velocity_count > 0)
    parts.push_back({"v", "velocities", columns.v_begin(), columns.velocity_count, false});
  if (columns.lambda_count > 0) {
    parts.push_back({"lambda", "multipliers of the constraints", columns.lambda_begin(),
                     columns.lambda_count, false});
  }
  for (std::size_t i = columns.integrals_begin(); i < columns.contacts_begin(); ++i) {
    parts.push_back({"integrals/" + columns.names[i], "first integral", i, 1, true});
  }
  for (std::size_t i = columns.contacts_begin(); i < columns.width(); ++i) {
    parts.push_back(
        {"contacts/" + columns.names[i], "gap or normal force of a contact", i, 1, true});
  }
  return parts;
}

std::vector<std::string> units_of(const RecordColumns& columns, std::size_t begin,
                                  std::size_t count) {
  std::vector<std::string> units;
  for (std::size_t i = begin; i < begin + count; ++i) units.push_back(columns.unit(i));
  return units;
}

std::vector<std::string> section_units(const RecordColumns& columns) {
  std::vector<std::string> units = units_of(columns, 0, columns.motion_names().size());
  // Of `rising`.
  const bool is_whole =
      std::ranges::all_of(units, [](const std::string& unit) { return unit == "nondimensional"; });
  units.emplace_back(is_whole ? "nondimensional" : "");
  return units;
}

std::vector<std::string> section_columns(const RunPlan& plan) {
  const auto motion = plan.columns.motion_names();
  std::vector<std::string> names(motion.begin(), motion.end());
  names.emplace_back("rising");
  return names;
}

}  // namespace dalembert::study
