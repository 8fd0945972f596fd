#pragma once

#include <limits>
#include <string>
#include <vector>

namespace dalembert::reproduce {

/// What a measurement says of a statement: it holds; it holds with a qualification, that is, not as
/// it stands but in the form that the qualification gives it; it fails in both forms.
enum class Verdict { holds, qualified, fails };

/// "holds", "holds with a qualification", "fails".
std::string verdict_text(Verdict verdict);

/// Which form of a statement a measured number decides.
enum class EvidenceRole {
  both,       ///< a part that the statement and its qualified form share
  published,  ///< the statement as it stands
  qualified,  ///< the form that the qualification gives it
  shown,      ///< neither: a number beside
};

/// A measured number with the bounds that the statement puts on it. A bound is met where the whole
/// interval value +- uncertainty lies within it.
struct Evidence {
  std::string what;  ///< in words, with the conditions of the measurement
  double value = 0.0, uncertainty = 0.0;
  double least = -std::numeric_limits<double>::infinity(),
         most = std::numeric_limits<double>::infinity();
  EvidenceRole role = EvidenceRole::both;

  /// False also for numbers that are not finite.
  bool is_met() const;
};

/// Holds if all numbers of the roles `both` and `published` are within their bounds; otherwise
/// qualified if those of `both` and `qualified` are, and there is one of `qualified`; else fails.
/// Nothing measured decides nothing: without a bounded number the verdict is `fails`.
Verdict judge(const std::vector<Evidence>& evidence);

/// The index of the number that tells most: the first that keeps the statement from holding as it
/// stands; where it holds, the first that decides. The size of the list if none decides anything.
std::size_t decisive_evidence(const std::vector<Evidence>& evidence);

}  // namespace dalembert::reproduce
