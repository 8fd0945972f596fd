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
  AuditProblem problem;
  double step = 0.1;
  std::uint64_t steps = 10000;
  double window = 30.0;  ///< of the running means that pictures show
};

/// What became of one conserved quantity over a long run.
enum class LongRunVerdict {
  exact,      ///< round-off of a random walk
  free,       ///< no drift that could be told from none
  slow,       ///< surely a drift, but over the run it adds up to less than the oscillation
  undecided,  ///< the run is too short for the oscillation
  drifts,     ///< surely a drift
  lost,       ///< no steady drift, but the running mean left by a tenth of the quantity's size
  stopped     ///< the numbers refused a step
};
/// "exact", "no drift", "slow drift", "undecided", "drifts", "lost" or "stopped": from the best to
/// the worst.
std::string verdict_text(LongRunVerdict verdict);

/// The drift of a quantity as the step map predicts it, without the long run.
struct DriftPrediction {
  double slope = 0.0, error = 0.0;  ///< of a straight line over the run, change per time
  bool by_modes = false;            ///< from the passengers' modes, else from a window
};

/// The measured drift of one quantity.
struct DriftFinding {
  std::string quantity;  ///< "energy", or the name of an integral
  double initial = 0.0;
  double largest_error = 0.0;
  Drift drift = {};
  LongRunVerdict verdict = LongRunVerdict::stopped;
  Series mean_error = {};  ///< running mean of the error, thinned
  std::string failure = {};
  std::optional<DriftPrediction> predicted = {};

  /// Whether the measured slope lies within the errors of the predicted one; true where one of the
  /// two is missing, or the quantity is lost.
  bool agrees() const;
};

/// Runs a method in double, with compensated sums and wrapped angles, and follows the energy where
/// the flow keeps it, every integral that the system declares, and the latitude of coupled systems
/// that have one. Deterministic to the bit. Throws RequestError if the method does not fit
/// or the start violates its constraints.
///
/// Exact means |error| <= 32 eps sqrt(steps) size: a few units of round-off per step, which add up
/// like a random walk. Everything else is judged by `fit_drift` with its defaults; for the latitude
/// `negligible_latitude` hides as much as the oscillation does. A drift is slow where the slope,
/// with `sure_confidence`, adds up to more than round-off does. Where it does not
/// drift, a quantity whose running mean is off by more than a tenth of its size (or of one, if that
/// is more) in the second half of the run is lost: it wanders, or went where it cannot go further,
/// and no slope describes that.
///
/// Predictions: for coupled systems with linear passengers, whose drivers the method moves by
/// themselves, the energy of the passengers, the whole energy and the latitude from
/// `predicted_rates`; all else from `window_rates` over the first 500 units of time, at most half
/// of the run, as I exp(r t) where I keeps its sign. A prediction says what a straight line over
/// the whole run would show; the error of a window grows with the run, as what changed between its
/// first half and the whole may go on changing. None where a step was refused or the method is
/// adaptive.
std::vector<DriftFinding> audit_long_run(const LongRun& run, const Method& method);

}  // namespace dalembert
