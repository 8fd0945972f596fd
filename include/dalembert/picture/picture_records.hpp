#pragma once

#include <span>
#include <vector>

#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Keeps what a picture of runs needs of their records while they go on, in memory that does not
/// grow with their length: all records of a run up to 65536; of more the least and the largest
/// values of as many stretches, or their means for a running mean, and samples for paths. Pictures
/// show fewer points.
class PictureRecords final : public RecordSink {
 public:
  /// For the picture that is asked for.
  PictureRecords(const PlotRequest& request, const std::vector<RunPlan>& plans);
  PictureRecords(const PictureRecords&) = delete;
  PictureRecords& operator=(const PictureRecords&) = delete;
  ~PictureRecords() override;
  double longest_wait() const override;
  void append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) override;
  /// Nothing is left to be done.
  void finish(const RunPlan&, const RunResult&) override {}

  /// Rows of the columns of a run, for curves against time.
  std::vector<double> for_curves(std::size_t run) const;
  /// Rows of the columns of a run, for paths.
  std::vector<double> for_paths(std::size_t run) const;

 private:
  struct Kept;
  PlotRequest request_;
  std::vector<Kept> kept_;  ///< by run
};

}  // namespace dalembert::study
