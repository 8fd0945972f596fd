#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/study/ensemble/ensemble_study.hpp"

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

/// The results in a file, by plan, such that the ensembles can go on from there or be drawn. Plans
/// get the distance of records that the file has.
std::vector<EnsembleResult> read_hdf5_ensembles(const std::filesystem::path& path,
                                                std::vector<EnsemblePlan>& plans);

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
