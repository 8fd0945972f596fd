#pragma once

#include <filesystem>
#include <vector>

#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"

namespace dalembert::study {

/// The results in a file, by plan, such that the ensembles can go on from there or be drawn. Plans
/// get the distance of records that the file has. OutputError, with both values, where states,
/// records, attributes and plans contradict each other.
std::vector<EnsembleResult> read_hdf5_ensembles(const std::filesystem::path& path,
                                                std::vector<EnsemblePlan>& plans,
                                                const ReadRuns& how = {});

}  // namespace dalembert::study
