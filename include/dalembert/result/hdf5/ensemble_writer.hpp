#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Writes ensembles to an HDF5 file while they go on. A group per run, /runs/0001, ..., holds t,
/// alive, statistics/<quantity> (columns named by an attribute), members/ with starts and final
/// states, state/ with what it takes to go on bit for bit, and the rest as attributes. Everything
/// is flushed every few seconds; the older of two states stays valid while the newer is written, so
/// that a kill at any moment leaves a file that can be read and resumed.
class EnsembleHdf5 {
 public:
  enum class Mode { create, extend };
  /// Creates the file, replacing an older one, or opens it to extend its runs; OutputError if that
  /// cannot be done.
  EnsembleHdf5(const std::filesystem::path& path, const Study& study,
               const std::vector<EnsemblePlan>& plans, Mode mode = Mode::create);
  ~EnsembleHdf5();
  /// Adds the records of the result that the file does not have yet, if the last time was long ago.
  void append(const EnsemblePlan& plan, const EnsembleResult& so_far);
  void finish(const EnsemblePlan& plan, const EnsembleResult& result);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dalembert::study
