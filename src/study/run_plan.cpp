#include "dalembert/study/run_plan.hpp"

#include "dalembert/mechanics/conservation.hpp"

namespace dalembert::study {

std::string RecordColumns::own_name(const std::string& name) const {
  for (std::size_t i = 0; i < lambda_count; ++i)
    if (name == "lambda_" + std::to_string(i + 1)) return names[lambda_begin() + i];
  return name;
}

std::string RecordColumns::unit(std::size_t column) const {
  return column < units.size() ? units[column] : "";
}

std::string RecordColumns::name_with_unit(std::size_t column) const {
  const std::string known = unit(column);
  if (known.empty() || known == "nondimensional") return names[column];
  return names[column] + " (" + known + ")";
}

std::string RecordColumns::time_label() const {
  return unit(0).empty() ? "time t" : "time t (" + unit(0) + ")";
}

RecordColumns record_columns(const System& system) {
  const Configuration& configuration = system.configuration();
  std::vector<std::string> velocities = configuration.velocity_columns();
  if (system.is_skew_gradient()) velocities.clear();
  RecordColumns columns{
      system.storage_count(), velocities.size(), system.constraint_count(), {"t"}};
  for (const Coordinate& number : configuration.storage()) columns.names.push_back(number.name);
  columns.names.insert(columns.names.end(), velocities.begin(), velocities.end());
  const std::vector<std::string> multipliers = system.multiplier_names();
  columns.names.insert(columns.names.end(), multipliers.begin(), multipliers.end());
  columns.names.insert(columns.names.end(), {"energy", "constraint"});
  for (const auto& [name, integral] : system.mechanics().integrals) columns.names.push_back(name);
  return columns;
}

bool is_energy_meant_to_stay(const Study& study, const RunPlan& plan) {
  if (plan.has_acting_events()) return false;
  if (study.problem.conserves == "energy" && plan.parameters != plan.system.default_parameters())
    return conservation(plan.system, plan.q, plan.v, plan.parameters).keeps_energy();
  if (!study.problem.conserves.empty()) return study.problem.conserves == "energy";
  return plan.system.traits().is_conservative();
}

}  // namespace dalembert::study
