#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// The study that a result file holds, as TOML text. OutputError if the file is none of ours.
std::string read_hdf5_study(const std::filesystem::path& path);

/// The results in a file, by plan, with their last states, so that runs can go on from there; with
/// all records if asked. Plans get the distance of records that the file has.
std::vector<RunResult> read_hdf5_results(const std::filesystem::path& path,
                                         std::vector<RunPlan>& plans, bool with_records);

}  // namespace dalembert::study
