#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace dalembert::study {

/// Verdict of a measurement on a statement: it holds; it holds with a qualification, that is, not
/// as it stands but in the form that the qualification gives it; it fails in both forms; the
/// measurement was too short to tell; or no measurement can tell, since what was published leaves
/// out what it would need.
enum class Verdict { holds, qualified, fails, undecided, undecidable };

/// "holds", "holds with a qualification", "fails", "too short to decide", "cannot be decided".
std::string verdict_text(Verdict verdict);

/// Form of a statement that a measured number decides.
enum class EvidenceRole {
  both,       ///< a part that the statement and its qualified form share
  published,  ///< the statement as it stands
  qualified,  ///< the form that the qualification gives it
  shown,      ///< neither: a number beside
};

/// A measured number with the bounds that the statement puts on it. They are met where the whole
/// interval value +- uncertainty lies within them, missed where the whole interval lies outside;
/// between the two the number decides nothing. A number that could not be measured (nan) misses
/// them, unless its uncertainty is infinite: there was too little to measure.
struct Evidence {
  std::string what;                       ///< in words, with the conditions of the measurement
  double value = 0.0, uncertainty = 0.0;  ///< the number, and half the width of its interval
  double least = -std::numeric_limits<double>::infinity(),  ///< lower bound
      most = std::numeric_limits<double>::infinity();       ///< upper bound
  EvidenceRole role = EvidenceRole::both;                   ///< form that it decides
  std::string name = {};  ///< by which a qualification mentions the number, as {name}
  bool is_stated = true;  ///< false where what was published does not say what is to be measured

  /// True if the whole interval lies within the bounds. False also for numbers that are not finite.
  bool is_met() const;
  /// Surely outside the bounds. Never both this and `is_met`; neither where nothing is decided.
  bool is_missed() const;
};

/// Evidence that a statement needs and that cannot be had, since its source leaves something out.
Evidence not_stated(const std::string& what);

/// Evidence with a name for its number, for qualifications.
Evidence named(const std::string& name, Evidence evidence);

/// Holds if all numbers of the roles `both` and `published` meet their bounds. If one of them
/// surely misses, the qualified form counts: qualified if all numbers of `both` and `qualified`
/// meet their bounds and there is one of `qualified`, fails if one surely misses or the claim has
/// no such form. Where no number surely decides otherwise but one decides nothing, and where
/// nothing was measured, undecided. If a number that counts is not stated, undecidable.
Verdict judge(const std::vector<Evidence>& evidence);

/// The index of the number that tells most: the first that surely keeps the statement from holding
/// as it stands, else the first that does not meet its bounds; where it holds, the first that
/// decides. The size of the list if none decides anything.
std::size_t decisive_evidence(const std::vector<Evidence>& evidence);

/// The text with something else in the place of each name in braces, {level}; braces of formulas,
/// as in F^{0,0,1}, stay. RequestError for a brace that is not closed.
std::string with_each_name(const std::string& text,
                           const std::function<std::string(const std::string&)>& in_place_of);

/// A text in which {name} stands for the value of the number of that name, written with the digits
/// that its uncertainty leaves, with two where it has none: "drifts by {slope} per unit of time".
/// Braces after ^ or _ are those of exponents and indices.
/// RequestError for a name that no number has, and for a brace that opens no name.
std::string with_numbers(const std::string& text, const std::vector<Evidence>& evidence);

}  // namespace dalembert::study
