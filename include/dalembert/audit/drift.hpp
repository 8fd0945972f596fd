#pragma once

#include <cstdint>
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

/// The measured drift of one quantity.
struct DriftFinding {
  std::string quantity;  ///< "energy", or the name of an integral
  double initial = 0.0;
  double largest_error = 0.0;
  Drift drift = {};
  LongRunVerdict verdict = LongRunVerdict::stopped;
  Series mean_error = {};  ///< running mean of the error, thinned
  std::string failure = {};
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
std::vector<DriftFinding> audit_long_run(const LongRun& run, const Method& method);

}  // namespace dalembert
