#pragma once

#include <filesystem>
#include <vector>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/merge_parts.hpp"

namespace dalembert::study {

/// Result files of all parts of an ensemble.
struct PartFiles {
  WholeOfParts whole;                        ///< study and parts
  std::vector<std::filesystem::path> files;  ///< of the parts, in their order
};

/// The parts in these files. RequestError as whole_of_parts, OutputError for a file that holds no
/// result.
PartFiles find_parts(const std::vector<std::filesystem::path>& files,
                     const std::vector<Method>& own_methods = {});

/// The results of the whole ensembles, by plan of the whole study; see merge_parts. Plans get the
/// distance of records that the files have. OutputError as read_hdf5_ensembles.
std::vector<EnsembleResult> read_parts(const PartFiles& parts, std::vector<EnsemblePlan>& plans);

}  // namespace dalembert::study
