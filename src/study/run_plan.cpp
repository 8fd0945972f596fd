#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

RecordColumns record_columns(const System& system) {
  const std::size_t velocities = system.is_skew_gradient() ? 0 : system.dof();
  RecordColumns columns{system.dof(), velocities, system.constraint_count(), {"t"}};
  const auto& coordinates = system.description().coordinates;
  for (const Coordinate& coordinate : coordinates) columns.names.push_back(coordinate.name);
  for (std::size_t i = 0; i < velocities; ++i)
    columns.names.push_back(coordinates[i].name + "_dot");
  for (std::size_t i = 1; i <= columns.lambda_count; ++i)
    columns.names.push_back("lambda_" + std::to_string(i));
  columns.names.insert(columns.names.end(), {"energy", "constraint"});
  for (const auto& [name, integral] : system.mechanics().integrals) columns.names.push_back(name);
  return columns;
}

}  // namespace dalembert::study
