#include "drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/measure/drift.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr std::size_t shown_points = 600;

/// A number that could not be measured meets no bound; where the samples are good but too few, it
/// misses none either.
Evidence not_measurable(const std::string& what, const Curve& curve, EvidenceRole role) {
  const bool is_finite = std::all_of(curve.values.begin(), curve.values.end(),
                                     [](double value) { return std::isfinite(value); });
  return {.what = what,
          .value = std::numeric_limits<double>::quiet_NaN(),
          .uncertainty = is_finite ? std::numeric_limits<double>::infinity() : 0.0,
          .role = role};
}

enum class Expected { free, slow, drift };

/// The slopes that noise and oscillation hide.
struct Hidden {
  double noise, oscillation;

  explicit Hidden(const Drift& drift) : oscillation(drift.oscillation / drift.duration) {
    noise = drift.is_steady ? numeric::smaller(drift.sure_slope.uncertainty(), oscillation)
                            : oscillation;
  }
};

/// The drift in one number with its bounds.
Evidence drift_evidence(const std::string& what, const Curve& curve, EvidenceRole role,
                        double negligible, Expected expected) {
  try {
    const Drift drift = fit_drift(curve.t, curve.values);
    const Hidden hidden(drift);
    const double ignored = negligible / drift.duration;
    Evidence evidence{what, drift.slope.value, drift.slope.uncertainty()};
    evidence.role = role;
    if (expected == Expected::free) {
      evidence.most = negligible > 0.0 ? ignored : hidden.noise;
      evidence.least = -evidence.most;
      return evidence;
    }
    evidence.value = std::fabs(evidence.value);
    if (expected == Expected::slow) {
      evidence.least = numeric::larger(hidden.noise, ignored);
      evidence.most = hidden.oscillation;
    } else {
      evidence.least = negligible > 0.0 ? ignored : hidden.oscillation;
    }
    return evidence;
  } catch (const RequestError&) {
    return not_measurable(what, curve, role);
  }
}

}  // namespace

Evidence free_of_drift(const std::string& what, const Curve& curve, EvidenceRole role,
                       double negligible) {
  return drift_evidence("drift per unit of time of " + what, curve, role, negligible,
                        Expected::free);
}

Evidence drifts_slowly(const std::string& what, const Curve& curve, EvidenceRole role,
                       double negligible) {
  return drift_evidence("|drift| per unit of time of " + what, curve, role, negligible,
                        Expected::slow);
}

Evidence drifts(const std::string& what, const Curve& curve, EvidenceRole role, double negligible) {
  return drift_evidence("|drift| per unit of time of " + what, curve, role, negligible,
                        Expected::drift);
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
    return not_measurable(name, error, role);
  }
}

namespace {

Steadiness steadiness_of(const Drift& drift, const Hidden& hidden, double floor) {
  const double least = floor / drift.duration;
  const double motion = numeric::larger(least, hidden.oscillation),
               noise = numeric::larger(least, hidden.noise);
  const double slope = std::fabs(drift.slope.value), half = drift.slope.uncertainty();
  const double low = numeric::larger(0.0, slope - half), high = slope + half;
  return {low / motion, high / motion, drift.slope.value, half, low / noise, high / noise};
}

Steadiness not_steady() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, nan, nan, nan, nan, nan};
}

}  // namespace

Steadiness steadiness(const Curve& curve, double floor) {
  try {
    const Drift drift = fit_drift(curve.t, curve.values);
    return steadiness_of(drift, Hidden(drift), floor);
  } catch (const RequestError&) {
    return not_steady();
  }
}

Steadiness steadiness(const Curve& curve, double floor, const PredictedChange& predicted,
                      double initial) {
  try {
    const Drift measured = fit_drift(curve.t, curve.values);
    const auto seen = seen_prediction(predicted, {curve.t, curve.values});
    const Drift drift = settled_drift(measured, seen, initial);
    Steadiness result = steadiness_of(drift, Hidden(measured), floor);
    if (drift.slope.value == measured.slope.value) return result;
    result.slope = measured.slope.value;
    result.uncertainty = measured.slope.uncertainty();
    // The error of a prediction is no interval of a confidence: the slope is zero if it is within.
    const double noise = numeric::larger(floor / drift.duration, seen->error);
    result.noise_at_least = result.noise_at_most = std::fabs(drift.slope.value) / noise;
    return result;
  } catch (const RequestError&) {
    return not_steady();
  }
}

Curve shown_error(const Curve& change, double window) {
  return thinned(magnitude(running_mean(change, window)), shown_points);
}

}  // namespace dalembert::reproduce
