#pragma once

#include <string>
#include <vector>

#include "dalembert/study/ensemble/ensemble_part.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// A part of an ensemble, with its name in messages: its file in quotes.
struct NamedPart {
  std::string name;   ///< as messages show it
  EnsemblePart part;  ///< range of members
};

/// All parts of an ensemble.
struct WholeOfParts {
  Study study;                   ///< of the whole ensemble
  std::vector<NamedPart> parts;  ///< in their order
};

/// The study of a part, as its result has it, with the name of the part in messages.
struct NamedStudy {
  std::string name, text;  ///< name in messages; the study as TOML
};

/// The whole of these parts. RequestError, which names them, where one is no part of an ensemble,
/// where two are parts of different studies, or unless each part is there once. `own_methods` as in
/// `continued_study`.
WholeOfParts whole_of_parts(const std::vector<NamedStudy>& studies,
                            const std::vector<Method>& own_methods = {});

/// Brings parts into their order. RequestError, which names them, unless each part of one ensemble
/// is there once.
void check_coverage(std::vector<NamedPart>& parts);

/// The plan of a part of an ensemble, from that of the whole.
EnsemblePlan plan_of_part(const EnsemblePlan& whole, const EnsemblePart& part);

/// The records of a whole ensemble, from those of all its parts in their order; see merge_parts.
EnsembleResult merge_records(const EnsemblePlan& whole, const std::vector<NamedPart>& parts,
                             const std::vector<EnsembleResult>& results, std::size_t threads = 1);

/// Appends the states and failures of the next part, whose members follow those that are there.
void append_members(EnsembleState& all, const EnsembleState& part);

/// The result of a whole ensemble, from the results of all its parts in their order, each complete:
/// bitwise identical to that of a run of the whole. Executed from there
/// (EnsembleExecution::resume_from) it is complete as well, or goes on to a later end. Quantiles
/// are nan where parts do not keep the values of their members; see `keeps_values`. RequestError
/// where parts have other records than the first, or have not come to their end.
EnsembleResult merge_parts(const EnsemblePlan& whole, const std::vector<NamedPart>& parts,
                           std::vector<EnsembleResult> results);

}  // namespace dalembert::study
