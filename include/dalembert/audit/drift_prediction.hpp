#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "dalembert/audit/drift.hpp"

namespace dalembert {

/// Predicted change of a quantity: functions of the time since the start. See audit_long_run
/// for the parts of the error.
struct PredictedChange {
  std::function<double(double)> change;  ///< smoothed over the oscillation
  std::function<double(double)> error;   ///< possible error of the change, >= 0
  bool by_modes = false;                 ///< from the passengers' modes, else from a window
};

/// Predictions from the start of a run, by the names of quantities: "energy", "latitude" and the
/// declared integrals. None for adaptive methods. RequestError if the method does not fit.
std::map<std::string, PredictedChange> predicted_changes(const LongRun& run, const Method& method);

/// A prediction seen as the run is seen: the lines fitted to it and to what the samples, changes
/// since the start, show beyond it, through the same samples. Nothing where it grows a millionfold.
std::optional<DriftPrediction> seen_prediction(const PredictedChange& predicted,
                                               const Series& samples);

/// The measured drift, or the predicted one where modes say more: where the samples lie beside
/// their curve, as far as they can tell, oscillate about it by less than a tenth of the quantity's
/// size (its first value, at least one), and leave the slope more open. Some oscillations are
/// slower than a run; the latitude has such. Then both intervals of the slope are the error of the
/// prediction.
Drift settled_drift(const Drift& measured, const std::optional<DriftPrediction>& predicted,
                    double initial);

}  // namespace dalembert
