#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

RecordColumns record_columns(const System& system) {
  const Configuration& configuration = system.configuration();
  std::vector<std::string> velocities = configuration.velocity_columns();
  if (system.is_skew_gradient()) velocities.clear();
  RecordColumns columns{
      system.storage_count(), velocities.size(), system.constraint_count(), {"t"}};
  for (const Coordinate& number : configuration.storage()) columns.names.push_back(number.name);
  columns.names.insert(columns.names.end(), velocities.begin(), velocities.end());
  for (std::size_t i = 1; i <= columns.lambda_count; ++i)
    columns.names.push_back("lambda_" + std::to_string(i));
  columns.names.insert(columns.names.end(), {"energy", "constraint"});
  for (const auto& [name, integral] : system.mechanics().integrals) columns.names.push_back(name);
  return columns;
}

}  // namespace dalembert::study
