#pragma once

#include <filesystem>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"

namespace dalembert::study {

/// Writes, for each run, a CSV file of statistics, one line per record, and one of the members.
/// OutputError if that cannot be done; the constructor makes the directory.
class EnsembleCsv {
 public:
  explicit EnsembleCsv(std::filesystem::path directory);
  /// Writes both files of a run: csv_file_name, and the same with the ending members.csv.
  void write(const EnsemblePlan& plan, const EnsembleResult& result) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace dalembert::study
