#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/picture/curve.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/result/labelled_table.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// Result of an analysis of a run. Texts, files, arrays and pictures are views of it: see
/// views.hpp.
struct Finding {
  enum class Status { ok, failed, interrupted } status = Status::ok;  ///< of the analysis
  std::string message = {};  ///< one sentence when it failed
  std::uint64_t steps = 0;   ///< completed
  LabelledTable table = {};  ///< all that was found

  /// Rows of cells for people, the first of them the names of columns; none where there is nothing
  /// to read. Runs with one heading stand below one another.
  std::string heading = {};
  std::vector<std::vector<std::string>> rows = {};  ///< cells, row by row
  std::size_t words = 1;  ///< columns of words, the first ones; all others hold numbers

  /// True if the analysis came to its end.
  bool ok() const { return status == Status::ok; }
};

/// Curve against time with the panel and the entry of the legend that it belongs to.
struct FoundLine {
  std::string panel_title, y_label, name;  ///< panel, its vertical axis, entry of the legend
  Curve curve;                             ///< its points
  CurveStyle style = CurveStyle::line;     ///< style of the curve
};

/// "chaotic, energy 3": problem and start, which runs of several methods share.
std::string motion_heading(const RunPlan& plan);
/// "chaotic, energy 3, dla01, h = 0.1": with the method and the step.
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
