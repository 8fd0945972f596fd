#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "dalembert/result/copies/result_lock.hpp"
#include "dalembert/result/labelled_table.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Writes runs to an HDF5 file while they go on. One group per run, /runs/0001, ..., with the data
/// sets t, q, v, lambda, energy, constraint and integrals/NAME, the last state of the stepper in
/// `state`, and what the JSON results say as attributes. The study is an attribute of the root.
///
/// The file is whole at every instant: about once a second a complete one, with all records so far
/// and the states that belong to them, takes the place of the one before. Until the first of them
/// an older result stays. Runs that end sooner are written once. Errors of writing are an
/// OutputError with the name of the file, from the next call.
class Hdf5Sink final : public RecordSink {
 public:
  /// For a new file, which replaces an older one. OutputError if nothing can be written there or
  /// another run writes it.
  Hdf5Sink(const std::filesystem::path& path, const Study& study,
           const std::vector<RunPlan>& plans);
  /// To go on with the runs of a file, which was read since it was locked.
  Hdf5Sink(ResultLock lock, const Study& study, const std::vector<RunPlan>& plans);
  ~Hdf5Sink() override;
  double longest_wait() const override;
  void append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) override;
  void finish(const RunPlan& plan, const RunResult& result) override;
  /// Writes the outcomes of all runs, as a table with named dimensions, at the root of the file.
  void write_table(const LabelledTable& table);
  /// All is in the file, or OutputError. Without it the destructor writes what it can, in silence.
  void close();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dalembert::study
