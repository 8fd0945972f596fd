#pragma once

#include <vector>

#include "dalembert/result/labelled_table.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Outcomes of the runs of a study, one entry for each: `method` and what else has several values
/// are dimensions (see study_axes), what has one value stands beside them. Largest errors over all
/// steps, states at the end (along position, velocity and multiplier), steps, work, status. nan and
/// "" where a run was refused.
LabelledTable run_table(const Study& study, const std::vector<RunPlan>& plans,
                        const std::vector<RunResult>& results,
                        const std::vector<RefusedRun>& refused = {});

/// The dimensions and coordinates of a table of the study's runs, and the place of each run in it.
class RunPlaces {
 public:
  explicit RunPlaces(const Study& study);
  /// Axes of several values, and that of the methods.
  const std::vector<LabelledTable::Dimension>& dimensions() const { return dimensions_; }
  /// Values of all axes; not that of a start without a name.
  const std::vector<LabelledArray>& coordinates() const { return coordinates_; }
  std::vector<std::string> names() const;  ///< of the dimensions
  std::size_t size() const;                ///< the number of places
  /// The index in arrays of the place of a run (RunPlan::place): row-major, the last axis fastest.
  std::size_t index(const std::vector<std::size_t>& place) const;

 private:
  std::vector<LabelledTable::Dimension> dimensions_;
  std::vector<LabelledArray> coordinates_;
  std::vector<std::size_t> counts_;  ///< of all axes, those of one value too
};

}  // namespace dalembert::study
