#pragma once

#include <string>
#include <vector>

#include "dalembert/study/ensemble/ensemble_part.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"

namespace dalembert::study {

/// A part of an ensemble, and where it comes from: a file, for messages.
struct NamedPart {
  std::string name;
  EnsemblePart part;
};

/// Brings parts into their order. RequestError, which names them, unless each part of one ensemble
/// is there once.
void check_coverage(std::vector<NamedPart>& parts);

/// The plan of a part of an ensemble, from that of the whole.
EnsemblePlan plan_of_part(const EnsemblePlan& whole, const EnsemblePart& part);

/// What came of a whole ensemble, from the results of all its parts in their order, each complete:
/// with the bits of a run of the whole. Executed from there (EnsembleExecution::resume_from) it is
/// complete as well, or goes on to a later end. Quantiles are nan where parts do not keep the
/// values of their members; see `keeps_values`. RequestError where parts have other records than
/// the first.
EnsembleResult merge_parts(const EnsemblePlan& whole, const std::vector<NamedPart>& parts,
                           std::vector<EnsembleResult> results);

}  // namespace dalembert::study
