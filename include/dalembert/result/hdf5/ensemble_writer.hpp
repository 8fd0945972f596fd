#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "dalembert/result/copies/result_lock.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Writes ensembles to an HDF5 file while they go on. A group per run, /runs/0001, ..., holds t,
/// alive, statistics/QUANTITY (columns named by an attribute), members/ with starts and final
/// states, state/ with what it takes to go on bit for bit, and the rest as attributes. The file is
/// whole at every instant, as that of Hdf5Sink.
class EnsembleHdf5 {
 public:
  /// For a new file, which replaces an older one. OutputError if nothing can be written there or
  /// another run writes it.
  EnsembleHdf5(const std::filesystem::path& path, const Study& study,
               const std::vector<EnsemblePlan>& plans);
  /// To go on with the runs of a file, which was read since it was locked.
  EnsembleHdf5(ResultLock lock, const Study& study, const std::vector<EnsemblePlan>& plans);
  ~EnsembleHdf5();
  /// Adds the records of the result that were not added yet.
  void append(const EnsemblePlan& plan, const EnsembleResult& so_far);
  /// Adds the records that were not added yet, starts and last states of the members, and the
  /// outcome.
  void finish(const EnsemblePlan& plan, const EnsembleResult& result);
  /// All is in the file, or OutputError. Without it the destructor writes what it can, in silence.
  void close();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dalembert::study
