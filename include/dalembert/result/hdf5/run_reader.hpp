#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// The study that a result file holds, as TOML text. OutputError if the file is none of ours.
std::string read_hdf5_study(const std::filesystem::path& path);

/// Parts of a result file that are read, and the plans that it is compared with.
struct ReadRuns {
  bool with_records = true;    ///< else states and attributes alone
  bool has_other_end = false;  ///< plans may end at another time than those of the file
  std::optional<std::uint64_t> record_every = {};  ///< of the study, if it says so
};

/// The results in a file, by plan, with their last states, so that runs can go on from there. Some
/// plans of the study will do. Plans get the distance of records that the file has. OutputError,
/// with both values, where states, records, attributes and plans contradict each other.
std::vector<RunResult> read_hdf5_results(const std::filesystem::path& path,
                                         std::vector<RunPlan>& plans, const ReadRuns& how = {});

/// The JSON text of each run, by plan, as it was written when the run ended (see run_json_text);
/// made of the results of `read_hdf5_results` where a run has not come to its end.
std::vector<std::string> read_hdf5_outcomes(const std::filesystem::path& path,
                                            const std::vector<RunPlan>& plans,
                                            const std::vector<RunResult>& results);

}  // namespace dalembert::study
