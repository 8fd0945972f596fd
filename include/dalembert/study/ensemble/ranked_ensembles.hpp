#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/run/ranks.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Ensembles that several processes compute, each its part of the members (EnsemblePart, by the
/// number of its rank). Rank 0 gathers what is recorded and the states, and is the only one that
/// has plans and results of all members; it computes its own part, too. Results have the bits of
/// one process. Everything is collective; ranks need the same study.

/// The study of the members of this rank. RequestError where there are more ranks than blocks of
/// members, or the study is of a part already.
Study study_of_rank(Study study, const Ranks& ranks);

/// Failure at one rank, known to all of them.
struct SharedFailure {
  enum class Kind { none, request, output } kind = Kind::none;  ///< of RequestError or OutputError
  std::string sentence;                                         ///< message of the error
};

/// Does something that may throw at some ranks, and returns, at all of them, the sentence of the
/// first of these; nothing where all is well.
std::optional<SharedFailure> agree(Ranks& ranks, const std::function<void()>& action);

/// At rank 0 the plans of all members, from those of every rank's own; elsewhere nothing.
std::vector<EnsemblePlan> gather_plans(Ranks& ranks, const std::vector<EnsemblePlan>& own);

/// Executes ensembles together. `whole` are the plans of all members, at rank 0, whose distance of
/// records all ranks take; there `execution.on_records` is called, with these plans and what came
/// of all members, and `resume_from` has the results of all members to go on from. An interrupt of
/// any rank (`execution.cancelled`) stops all of them after the same window of records. Returns the
/// results of all members at rank 0.
///
/// States are gathered for `on_records` every so many seconds, and at the end.
std::vector<EnsembleResult> execute_ranked(Ranks& ranks, std::vector<EnsemblePlan> own,
                                           const std::vector<EnsemblePlan>& whole,
                                           const EnsembleExecution& execution,
                                           double seconds_between_states = 1.0);

}  // namespace dalembert::study
