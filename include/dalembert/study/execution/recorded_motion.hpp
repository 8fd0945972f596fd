#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// The motion of a run of which records are there, at any time up to the last of them. Between
/// records it is what the run itself passed: from the last recorded node before the time by steps
/// of the run's method and size, then by one shorter step, as with `RecordTimes::at`. Of a method
/// that carries data of steps of one size the run interpolates between nodes, and so does this:
/// from records of both nodes, or, where not every node is recorded, from the whole run once more.
///
/// The bits are those of a run that records at these times, with two exceptions, in which records
/// hold less than the stepper does: an angle that has turned is known to the round-off of its
/// unwrapped value, and compensated sums begin again at each record. One per thread.
class RecordedMotion {
 public:
  /// `records` are rows of the plan's columns from t = 0 on. RequestError without any.
  RecordedMotion(RunPlan plan, std::vector<double> records);
  ~RecordedMotion();
  RecordedMotion(RecordedMotion&&) noexcept;
  RecordedMotion& operator=(RecordedMotion&&) noexcept;

  /// The plan of the run.
  const RunPlan& plan() const;
  /// The time of the last record; the first is at t = 0.
  double end() const;

  /// Rows of the plan's columns at these times, in their order, [times.size() x width]. A time
  /// within a billionth of a step of a record is that record's. RequestError, with the range, for a
  /// time outside of it, and for elements of groups that would be interpolated; StepError where the
  /// numbers refuse the shorter step.
  std::vector<double> rows_at(std::span<const double> times);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dalembert::study
