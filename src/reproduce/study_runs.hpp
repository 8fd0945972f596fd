#pragma once
// The runs of a published study, for the measurements of the papers. Only for the sources of this
// room.

#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/picture/plot.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// A study of the library, executed, with its records: of every step, or where they would not fit
/// into memory of every so many, an odd number, so that what differs between even and odd steps is
/// seen. The study's own record_every is that of its picture.
class StudyRuns {
 public:
  /// Settings as on the command line. A run that the numbers refuse keeps what it has.
  StudyRuns(const std::string& name, const ReproductionEffort& effort,
            const std::vector<std::string>& settings = {});

  const study::Study& study() const { return study_; }
  const std::vector<study::RunPlan>& plans() const { return plans_; }
  const std::vector<study::RunResult>& results() const { return results_; }
  std::size_t size() const { return plans_.size(); }

  /// The run of that method label and run label; RequestError if there is none.
  std::size_t find(const std::string& method, const std::string& label = "") const;
  /// A column of the records against time, and its change since the start.
  study::Curve column(std::size_t run, const std::string& name) const;
  study::Curve change(std::size_t run, const std::string& name) const;
  /// Largest energy error over all steps; nan if the run was refused.
  double energy_error(std::size_t run) const;
  /// The picture that the study asks for.
  study::Picture picture() const;

 private:
  study::Study study_;
  std::vector<study::RunPlan> plans_;
  std::vector<std::uint64_t> shown_every_;  ///< steps between the records that pictures show
  std::vector<study::RunResult> results_;
};

/// The largest |value|.
double largest(const study::Curve& curve);

}  // namespace dalembert::reproduce
