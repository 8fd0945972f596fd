#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/study/ensemble_study.hpp"

namespace dalembert {

/// JSON as json_text, where each run has an object "ensemble": size, seed, failures, t, alive,
/// statistics by quantity, growth laws, and the start and the final state of each member.
std::string ensemble_json(const Study& study, const std::vector<EnsemblePlan>& plans,
                          const std::vector<EnsembleResult>& results);

/// Writes, for each run, a CSV file of statistics, one line per record, and one of the members.
/// OutputError if that cannot be done; the constructor makes the directory.
class EnsembleCsv {
 public:
  explicit EnsembleCsv(std::filesystem::path directory);
  void write(const EnsemblePlan& plan, const EnsembleResult& result) const;

 private:
  std::filesystem::path directory_;
};

/// Writes ensembles to an HDF5 file while they go on. A group per run, /runs/0001, ..., holds t,
/// alive, statistics/<quantity> (columns named by an attribute), members/ with starts and final
/// states, and the rest as attributes. Everything written so far is flushed at least every few
/// seconds of a run.
class EnsembleHdf5 {
 public:
  /// Creates the file, replacing an older one; OutputError if that cannot be done.
  EnsembleHdf5(const std::filesystem::path& path, const Study& study,
               const std::vector<EnsemblePlan>& plans);
  ~EnsembleHdf5();
  /// Adds the records of the result that the file does not have yet, if the last time was long ago.
  void append(const EnsemblePlan& plan, const EnsembleResult& so_far);
  void finish(const EnsemblePlan& plan, const EnsembleResult& result);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Checks a picture of ensembles before anything is computed, as check_plot. Quantities are written
/// as energy_error.variance: a quantity of the results and mean, variance, mean_square, median, min
/// or max; "variance" and "mean_square" alone are those of the energy error.
void check_ensemble_plot(const std::filesystem::path& path, const PlotRequest& request,
                         const std::vector<EnsemblePlan>& plans);

/// Draws statistics against time on logarithmic scales: a panel for each quantity and each choice
/// of parameters and step, a curve for each method; a reference beside them if asked.
void write_ensemble_plot(const std::filesystem::path& path, const PlotRequest& request,
                         const std::string& title, const std::vector<EnsemblePlan>& plans,
                         const std::vector<EnsembleResult>& results);

}  // namespace dalembert
