#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/picture/curve.hpp"
#include "dalembert/result/labelled_table.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// What an analysis found of a run. Texts, files, arrays and pictures are views of it: see
/// views.hpp.
struct Finding {
  enum class Status { ok, failed, interrupted } status = Status::ok;
  std::string message = {};  ///< one sentence when it failed
  std::uint64_t steps = 0;   ///< completed
  LabelledTable table = {};  ///< all that was found

  /// What people read: rows of cells, the first of them the names of columns; none where there is
  /// nothing to read. Runs with one heading stand below one another.
  std::string heading = {};
  std::vector<std::vector<std::string>> rows = {};

  /// What is drawn against time: in a panel for each title and label.
  struct Line {
    std::string y_label, name;
    Curve curve;
  };
  std::string panel_title = {};
  std::vector<Line> lines = {};

  bool ok() const { return status == Status::ok; }
};

/// "chaotic, energy 3": problem and start, which runs of several methods share.
std::string motion_heading(const RunPlan& plan);
/// The same with the method and the step.
std::string run_heading(const RunPlan& plan);

/// The finding of a result with status, message and steps, without its table.
template <class Result>
Finding finding_of(const Result& result) {
  Finding finding;
  finding.status = result.status == Result::Status::ok       ? Finding::Status::ok
                   : result.status == Result::Status::failed ? Finding::Status::failed
                                                             : Finding::Status::interrupted;
  finding.message = result.message;
  finding.steps = result.steps;
  return finding;
}

}  // namespace dalembert::study
