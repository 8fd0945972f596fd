#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Writes runs to an HDF5 file while they go on. One group per run, /runs/0001, ..., with the data
/// sets t, q, v, lambda, energy, constraint and integrals/<name>, the last state of the stepper in
/// `state`, and what the JSON results say as attributes. The study is an attribute of the root.
/// Every block is flushed, so that the file can be read after a kill at any moment.
class Hdf5Sink final : public RecordSink {
 public:
  enum class Mode { create, extend };
  /// Creates the file, replacing an older one, or opens it to extend its runs. OutputError if that
  /// cannot be done.
  Hdf5Sink(const std::filesystem::path& path, const Study& study, const std::vector<RunPlan>& plans,
           Mode mode = Mode::create);
  ~Hdf5Sink() override;
  void append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) override;
  void finish(const RunPlan& plan, const RunResult& result) override;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dalembert::study
