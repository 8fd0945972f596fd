#pragma once
// What the step map says of the drifts of a long run. Only for the sources of this room.

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "dalembert/audit/drift.hpp"

namespace dalembert {

/// How a quantity changes by prediction: functions of the time since the start.
struct PredictedChange {
  std::function<double(double)> change;  ///< smoothed over the oscillation
  std::function<double(double)> error;   ///< what it may be off
  bool by_modes = false;
};

/// Predictions by the names of quantities, energy and latitude among them; those of a start.
std::map<std::string, PredictedChange> predicted_changes(const LongRun& run, const Method& method);

/// A prediction seen as the run is seen: the lines fitted to it and to what the samples, changes
/// since the start, show beyond it, through the same samples. Nothing where it overflows.
std::optional<DriftPrediction> seen_prediction(const PredictedChange& predicted,
                                               const Series& samples);

}  // namespace dalembert
