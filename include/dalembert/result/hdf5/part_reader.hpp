#pragma once

#include <filesystem>
#include <vector>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/merge_parts.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Result files of all parts of an ensemble.
struct PartFiles {
  Study study;                   ///< of the whole ensemble
  std::vector<NamedPart> parts;  ///< in their order, named by their files
};

/// The parts in these files. RequestError, which names the files, where one is no part of an
/// ensemble, where two are parts of different studies or the same part, and where parts are
/// missing. `own_methods` as in `continued_study`.
PartFiles find_parts(const std::vector<std::filesystem::path>& files,
                     const std::vector<Method>& own_methods = {});

/// What came of the whole ensembles, by plan of the whole study; see merge_parts. Plans get the
/// distance of records that the files have. RequestError where a part has not come to its end,
/// OutputError as read_hdf5_ensembles.
std::vector<EnsembleResult> read_parts(const PartFiles& files, std::vector<EnsemblePlan>& plans);

}  // namespace dalembert::study
