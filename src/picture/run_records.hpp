#pragma once
// The records that a picture of runs is drawn from. Only for the sources of this room.

#include <span>
#include <vector>

#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Rows of the columns of a run: what curves against time are drawn from, and what paths are.
struct RunRecords {
  std::span<const double> of_curves = {}, of_paths = {};
};

/// All that the results hold, by run.
inline std::vector<RunRecords> whole_records(const std::vector<RunResult>& results) {
  std::vector<RunRecords> records;
  for (const RunResult& result : results) records.push_back({result.records, result.records});
  return records;
}

}  // namespace dalembert::study
