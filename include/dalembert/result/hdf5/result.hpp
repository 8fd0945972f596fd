#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/study/run_study.hpp"

namespace dalembert {

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

/// The study that a result file holds, as TOML text. OutputError if the file is none of ours.
std::string read_hdf5_study(const std::filesystem::path& path);

/// The results in a file, by plan, with their last states, so that runs can go on from there; with
/// all records if asked. Plans get the distance of records that the file has.
std::vector<RunResult> read_hdf5_results(const std::filesystem::path& path,
                                         std::vector<RunPlan>& plans, bool with_records);

}  // namespace dalembert
