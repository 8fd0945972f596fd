#pragma once
// Drifts as evidence for the claims of the papers. Only for the sources of this room.

#include <string>

#include "dalembert/picture/curve.hpp"
#include "dalembert/reproduce/verdict.hpp"

namespace dalembert::reproduce {

/// Evidence that a quantity is free of drift: over the duration its slope surely adds up to less
/// than the root mean square of its oscillation, or than `negligible` if that is given. The value
/// is the slope per unit of time with the half length of its 95 % interval.
Evidence free_of_drift(const std::string& what, const study::Curve& curve,
                       EvidenceRole role = EvidenceRole::both, double negligible = 0.0);
/// Evidence that it drifts: the absolute value of the slope surely adds up to more than that.
Evidence drifts(const std::string& what, const study::Curve& curve,
                EvidenceRole role = EvidenceRole::both, double negligible = 0.0);
/// Evidence that an error grows exponentially: the rate per unit of time, surely above `least`.
Evidence grows_exponentially(const std::string& what, const study::Curve& error, double least,
                             EvidenceRole role = EvidenceRole::both);

/// How far a quantity moves steadily over its duration, in units of what its oscillation hides (its
/// root mean square, at least `floor`): surely at least and surely at most so far, with the
/// confidence of 95 %. At most 1: free of drift; at least 1: it drifts. Not finite where nothing
/// could be measured.
struct Steadiness {
  double at_least = 0.0, at_most = 0.0;
  double slope = 0.0, uncertainty = 0.0;  ///< per unit of time
};
Steadiness steadiness(const study::Curve& curve, double floor = 1e-10);

/// A curve for pictures of slow changes: its running mean over `window`, in absolute value, with
/// round-off as the least that a logarithmic axis shows, thinned.
study::Curve shown_error(const study::Curve& change, double window);

}  // namespace dalembert::reproduce
