#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Writes one CSV file per run into a directory, with a header of column names; numbers read back
/// as the same doubles. A file that is still being written has the ending .unfinished, so that an
/// older one stays until then.
class CsvSink final : public RecordSink {
 public:
  /// Makes the directory and the files; OutputError if that cannot be done.
  CsvSink(const std::filesystem::path& directory, const std::vector<RunPlan>& plans);
  ~CsvSink() override;
  void append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) override;
  /// Moves the file of the run to its place, and writes those of its sections and events.
  /// OutputError where that cannot be done.
  void finish(const RunPlan& plan, const RunResult& result) override;

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

/// The name of the file of a run: its number, label and method, in characters that every file
/// system takes.
std::string csv_file_name(const RunPlan& plan);
/// The files of a run in a directory: its records, then the crossings of each section and the
/// occurrences of each event.
std::vector<std::filesystem::path> csv_files(const std::filesystem::path& directory,
                                             const RunPlan& plan);

}  // namespace dalembert::study
