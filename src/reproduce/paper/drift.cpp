#include "drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/measure/drift.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr std::size_t shown_points = 600;

/// A number that could not be measured meets no bound.
Evidence not_measurable(const std::string& what, EvidenceRole role) {
  return {.what = what, .value = std::numeric_limits<double>::quiet_NaN(), .role = role};
}

/// The drift in one number with the bound that `negligible` puts on it.
Evidence drift_evidence(const std::string& what, const Curve& curve, EvidenceRole role,
                        double negligible, bool expected) {
  try {
    const Drift drift = fit_drift(curve.t, curve.values);
    const double hidden = (negligible > 0.0 ? negligible : drift.oscillation) / drift.duration;
    Evidence evidence{what, drift.slope.value, drift.slope.uncertainty()};
    evidence.role = role;
    if (expected) {
      evidence.value = std::fabs(evidence.value);
      evidence.least = hidden;
    } else {
      evidence.least = -hidden;
      evidence.most = hidden;
    }
    return evidence;
  } catch (const RequestError&) {
    return not_measurable(what, role);
  }
}

}  // namespace

Evidence free_of_drift(const std::string& what, const Curve& curve, EvidenceRole role,
                       double negligible) {
  return drift_evidence("drift per unit of time of " + what, curve, role, negligible, false);
}

Evidence drifts(const std::string& what, const Curve& curve, EvidenceRole role, double negligible) {
  return drift_evidence("|drift| per unit of time of " + what, curve, role, negligible, true);
}

Evidence grows_exponentially(const std::string& what, const Curve& error, double least,
                             EvidenceRole role) {
  const std::string name = "growth rate of " + what;
  try {
    const Growth growth = growth_rate(error.t, error.values);
    Evidence evidence{name, growth.value.value, growth.value.uncertainty(), least};
    evidence.role = role;
    return evidence;
  } catch (const RequestError&) {
    return not_measurable(name, role);
  }
}

Steadiness steadiness(const Curve& curve, double floor) {
  try {
    const Drift drift = fit_drift(curve.t, curve.values);
    const double hidden = std::max(floor, drift.oscillation) / drift.duration;
    const double slope = std::fabs(drift.slope.value), half = drift.slope.uncertainty();
    return {std::max(0.0, slope - half) / hidden, (slope + half) / hidden, drift.slope.value, half};
  } catch (const RequestError&) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan, nan, nan};
  }
}

Curve shown_error(const Curve& change, double window) {
  return thinned(magnitude(running_mean(change, window)), shown_points);
}

}  // namespace dalembert::reproduce
