#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/audit/rates/predicted_rates.hpp"
#include "dalembert/audit/rates/window_rate.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// Keys of the table [modified] of a study.
struct ModifiedOptions {
  int points = 5;       ///< of the trajectory, the start and the end among them
  int terms = 2;        ///< coefficients of the expansion
  int half_width = 30;  ///< most steps to either side of the logarithm
  double window = 500;  ///< duration over which rates of drift are measured
  const std::atomic<bool>* cancelled = nullptr;  ///< stops between two points or measurements
};

/// The modified field at a point of a trajectory; vectors are slopes of (q, v).
struct ModifiedPoint {
  double t = 0.0;
  std::vector<double> q, v, field, modified;
  double remainder = 0.0;  ///< see ModifiedField::error
  double noise = 0.0;      ///< what round-off of double would leave of f~ at this step
  int half_width = 0;
  std::vector<std::vector<double>> coefficients;
  std::vector<double> coefficient_errors;
  std::vector<double> integral_slopes;  ///< <grad I, f~> of the energy and the declared integrals

  double size() const;    ///< of f, largest entry
  double change() const;  ///< of f~ - f
};

/// Backward error analysis of one method on one start and step.
struct ModifiedAnalysis {
  RunPlan plan;
  int steps_as_one = 1;  ///< see steps_near_identity
  std::vector<int> powers = {};
  std::vector<ModifiedPoint> points = {};
  std::vector<WindowRate> drifts = {};  ///< dI/dt
  std::optional<PredictedRates> rates = {};
  std::string without_rates = {};  ///< why there are none
  std::optional<AveragedRates> averages = {};
  std::string without_averages = {};
  std::string failure = {};     ///< where the numbers refused
  bool is_interrupted = false;  ///< whether it was cancelled; then what is missing is empty
};

/// In 113 bits at the points, in double for drifts and rates. RequestError as StepLogarithm.
ModifiedAnalysis analyse_modified(const RunPlan& plan, const ModifiedOptions& options);

}  // namespace dalembert::study
