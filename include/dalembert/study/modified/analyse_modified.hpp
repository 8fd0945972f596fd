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
  double t = 0.0;                             ///< time of the point
  std::vector<double> q, v, field, modified;  ///< the state; f, of the system, and f~ at the step
  double remainder = 0.0;                     ///< see ModifiedField::error
  double noise = 0.0;  ///< error of f~ that round-off of double would make at this step
  int half_width = 0;  ///< see ModifiedField::half_width
  std::vector<std::vector<double>> coefficients;  ///< one vector for each power of the analysis
  std::vector<double> coefficient_errors;         ///< of their largest entries; see ModifiedField
  std::vector<double> integral_slopes;  ///< <grad I, f~> of the energy and the declared integrals

  double size() const;    ///< of f, largest entry
  double change() const;  ///< of f~ - f
};

/// Backward error analysis of one method on one start and step.
struct ModifiedAnalysis {
  RunPlan plan;                                ///< run that is analysed
  int steps_as_one = 1;                        ///< see steps_near_identity
  std::vector<int> powers = {};                ///< of h, in the expansion of f~
  std::vector<ModifiedPoint> points = {};      ///< along the trajectory, from its start on
  std::vector<WindowRate> drifts = {};         ///< dI/dt
  std::optional<PredictedRates> rates = {};    ///< of the passengers of a coupled system
  std::string without_rates = {};              ///< reason for having none
  std::optional<AveragedRates> averages = {};  ///< leading term of these rates
  std::string without_averages = {};           ///< reason for having none
  std::string failure = {};     ///< reason for ending before the last point; "" if complete
  bool is_interrupted = false;  ///< true if cancelled; then what is missing is empty
};

/// In 113 bits at the points, in double for drifts and rates. RequestError as StepLogarithm.
ModifiedAnalysis analyse_modified(const RunPlan& plan, const ModifiedOptions& options);

}  // namespace dalembert::study
