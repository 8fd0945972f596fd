#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/audit/audit.hpp"
#include "dalembert/measure/drift.hpp"

namespace dalembert {

/// A long run of the audit.
struct LongRun {
  AuditProblem problem;         ///< system, parameters and start
  double step = 0.1;            ///< size of a step
  std::uint64_t steps = 10000;  ///< number of steps
  double window = 30.0;         ///< of the running means that pictures show
};

/// Verdict on one conserved quantity over a long run.
enum class LongRunVerdict {
  exact,      ///< round-off of a random walk
  free,       ///< no drift that could be told from none
  slow,       ///< surely a drift, but over the run it adds up to less than the oscillation
  undecided,  ///< the run is too short for the oscillation
  drifts,     ///< surely a drift
  lost,       ///< no steady drift, but the running mean left by a tenth of the quantity's size
  stopped     ///< a step was refused, or a quantity is not finite
};
/// "exact", "no drift", "slow drift", "undecided", "drifts", "lost" or "stopped": from the best to
/// the worst.
std::string verdict_text(LongRunVerdict verdict);

/// The drift of a quantity as the step map predicts it, without the long run.
struct DriftPrediction {
  /// Change per time of the straight line that `fit_drift` puts through the predicted curve, at the
  /// times of the samples, and its possible error.
  double slope = 0.0, error = 0.0;
  bool by_modes = false;  ///< from the passengers' modes, else from a window
  /// The line through what the samples show beyond the predicted curve, with `sure_confidence`: the
  /// bend of the curve is in neither the slope nor its interval.
  Estimate rest = {};
  double rest_size = 0.0;  ///< root mean square of that around its line

  /// True if `rest` may be no slope, but for the error of the prediction.
  bool agrees() const { return rest.low <= error && rest.high >= -error; }
};

/// The measured drift of one quantity.
struct DriftFinding {
  std::string quantity;        ///< "energy", or the name of an integral
  double initial = 0.0;        ///< at the start
  double largest_error = 0.0;  ///< largest distance to `initial`
  /// Time at which the energy was first off by more than its terms up to then explain; see
  /// `breaks_promise`.
  std::optional<double> off = {};
  Drift drift = {};                                  ///< of the error
  LongRunVerdict verdict = LongRunVerdict::stopped;  ///< see audit_long_run
  Series mean_error = {};                            ///< running mean of the error, thinned
  std::string failure = {};                          ///< message if the run stopped, else empty
  std::optional<DriftPrediction> predicted = {};     ///< nothing where none is possible

  /// True if the run lies beside the predicted curve, up to a slope within the errors of both; true
  /// where nothing is predicted.
  bool agrees() const;
};

/// Runs a method in double, with compensated sums and wrapped angles, and follows the energy where
/// the flow keeps it, every integral that the system declares, and the latitude of coupled systems
/// that have one. Deterministic to the bit. Throws RequestError if the method does not fit
/// or the start violates its constraints.
///
/// Exact means |error| <= 32 eps sqrt(steps) size: a few units of round-off per step, which add up
/// like a random walk. The size is that of the quantity, or of one, and of the energy that of its
/// terms. Everything else is judged by `fit_drift` with its defaults, the latitude
/// like all else. A drift is slow where the slope, with `sure_confidence`, adds up to more than
/// round-off does. Where modes predict a curve beside which the samples lie, and leave the slope
/// less open than these do, their slope is judged: some oscillations, of the latitude above all,
/// are slower than the run. Where it does not drift, a quantity whose running mean is off by more
/// than a tenth of its first value (or of one, if that is more) in the second half of the run is
/// lost: it wanders, or went where it cannot go further, and no slope describes that.
///
/// Predictions are curves: for coupled systems with linear passengers, whose drivers the method
/// moves by themselves, the energy of the passengers, the whole energy and the latitude from
/// `predicted_rates`; all else from `window_rates` over the first 500 units of time, at most half
/// of the run. They are compared with the samples by the line through the difference, which knows
/// nothing of how either bends. The error of modes is what another number of turns makes of the
/// curve and, where the driver does not return, what the turns that follow do, going on; that of a
/// window is how its rate changes between its halves, going on. None where a step was refused, the
/// method is adaptive, or the curve grows a millionfold.
std::vector<DriftFinding> audit_long_run(const LongRun& run, const Method& method);

}  // namespace dalembert
