#pragma once
// Drifts as evidence for the claims of the papers. Only for the sources of this room.

#include <string>

#include "dalembert/audit/drift_prediction.hpp"
#include "dalembert/claims/verdict.hpp"
#include "dalembert/picture/curve.hpp"

namespace dalembert::reproduce {

/// What a quantity does that a method does not keep exactly, in three words that exclude each
/// other. The value of each evidence is the slope per unit of time with the half length of its 95 %
/// interval. What oscillation hides is its root mean square over the duration; what noise hides is
/// the half length of the slope's interval for `sure_confidence`, which is far longer than the one
/// for 95 %, so that a quantity without drift is not accused; if the slope is not steady, it hides
/// as much as the oscillation.

/// Evidence that a quantity is free of drift: the slope lies within what noise hides, and within
/// what the oscillation hides. If `negligible` is given, a slope that surely adds up to less over
/// the duration is none.
study::Evidence free_of_drift(const std::string& what, const study::Curve& curve,
                              study::EvidenceRole role = study::EvidenceRole::both,
                              double negligible = 0.0);
/// Evidence that it drifts slowly: the absolute value of the slope is surely more than noise hides
/// (and adds up to more than `negligible`), but less than the oscillation hides.
study::Evidence drifts_slowly(const std::string& what, const study::Curve& curve,
                              study::EvidenceRole role = study::EvidenceRole::both,
                              double negligible = 0.0);
/// Evidence that it drifts: the absolute value of the slope surely adds up to more than the
/// oscillation hides, or than `negligible` if that is given.
study::Evidence drifts(const std::string& what, const study::Curve& curve,
                       study::EvidenceRole role = study::EvidenceRole::both,
                       double negligible = 0.0);
/// Evidence that an error grows exponentially: the rate per unit of time, surely above `least`.
study::Evidence grows_exponentially(const std::string& what, const study::Curve& error,
                                    double least,
                                    study::EvidenceRole role = study::EvidenceRole::both);

/// How far a quantity moves steadily over its duration, in units of what its oscillation hides (its
/// root mean square, at least `floor`): surely at least and surely at most so far, with the
/// confidence of 95 %. At least 1: it drifts; at most 1: it is free of drift if the slope is also
/// within what noise hides, else it drifts slowly. Not finite where nothing could be measured.
struct Steadiness {
  double at_least = 0.0, at_most = 0.0;
  double slope = 0.0, uncertainty = 0.0;  ///< per unit of time
  /// The same in units of what noise hides, at most what the oscillation hides, at least `floor`.
  double noise_at_least = 0.0, noise_at_most = 0.0;
};
Steadiness steadiness(const study::Curve& curve, double floor = 1e-10);
/// The same where a prediction of the curve's change may say more than its samples (settled_drift):
/// then noise hides the error of the prediction.
Steadiness steadiness(const study::Curve& curve, double floor, const PredictedChange& predicted,
                      double initial);

/// A curve for pictures of slow changes: its running mean over `window`, in absolute value, with
/// round-off as the least that a logarithmic axis shows, thinned.
study::Curve shown_error(const study::Curve& change, double window);

}  // namespace dalembert::reproduce
