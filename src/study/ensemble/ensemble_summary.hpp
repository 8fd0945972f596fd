#pragma once
// What several outputs of ensembles show alike. Only for the sources of this room.

#include <array>
#include <string>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

inline constexpr std::array ensemble_columns{
    "count", "mean", "variance", "mean_square", "min", "q05", "q25", "median", "q75", "q95", "max"};

/// The numbers of these columns.
std::array<double, ensemble_columns.size()> column_values(const SampleStatistics& statistics);

/// The ensemble as if it were one run: largest errors over members and records, means over members
/// at the start and the end.
RunResult as_run(const EnsemblePlan& plan, const EnsembleResult& result);

}  // namespace dalembert::study
