#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/linearisation/linearise.hpp"
#include "dalembert/linearisation/stability_changes.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// "stable", "undecided" or "unstable".
const char* stability_word(Stability stability);

/// Keys of the table [linearise] of a study.
struct LinearisationChoice {
  std::string at = "steady";           ///< "steady", "any" or a start of the problem
  std::vector<std::string> keep = {};  ///< as LinearisationRequest::keep
};

/// Steady motions of a problem that are to be linearised.
struct LinearisationRequest {
  Sizes sizes = {};  ///< in the place of those of the start; defaults for the others
  /// Instead of defaults and of what a start sets; one of them may have several values.
  std::vector<ParameterChoice> parameters = {};
  /// The start near which a steady motion is looked for; if empty, the first of the problem that is
  /// one, or else the first.
  std::optional<StartEntry> start = {};
  bool search = true;  ///< else the start must be a steady motion itself
  /// Expressions of positions, velocities, multipliers, `energy` and integrals that keep the values
  /// they have at the start.
  std::vector<std::string> keep = {};
  std::atomic<bool>* cancelled = nullptr;  ///< set it to stop before the next value
};

/// Steady motions of a problem, one for each value of a parameter.
struct LinearisedProblem {
  std::string problem, start;             ///< names
  std::vector<std::string> columns = {};  ///< names of the stored positions, then of the velocities
  std::string varied = {};                ///< the parameter that has several values, or ""
  std::vector<double> values =
      {};  ///< its values, up to a cancellation; one, of nothing, without it
  std::vector<Linearisation> motions = {};    ///< one for each value
  std::vector<StabilityChange> changes = {};  ///< between them
};

/// The request of a study with these keys, near its first start. RequestError where `at` names no
/// start of the problem.
LinearisationRequest linearisation_request(const Study& study, const LinearisationChoice& choice);

/// Linearises a problem about steady motions. RequestError for values that the problem does not
/// admit, for more than one parameter with several of them, and for what `Lineariser` refuses.
LinearisedProblem linearise_problem(const ProblemFile& problem,
                                    const LinearisationRequest& request);

}  // namespace dalembert::study
