#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "dalembert/study/execution/recorded_motion.hpp"

namespace dalembert::study {

/// States of a run at times of one's own, in contiguous rows, in the order of the times.
struct StatesAt {
  std::vector<std::string> q_names, v_names, lambda_names;  ///< as columns of records
  std::vector<double> t,                                    ///< [count]
      q,       ///< angles unwrapped, [count x q_names.size()]
      v,       ///< [count x v_names.size()]
      lambda;  ///< [count x lambda_names.size()]
};

/// The motion of one run in a result file. `run` is the number of its group, "0001" or "1"; it may
/// be "" where the file holds one run. OutputError for a file that is none of ours or damaged;
/// RequestError, with the runs that there are, for a name of none of them, for an ensemble, which
/// keeps no motions, and for a run without records.
RecordedMotion read_motion(const std::filesystem::path& file, const std::string& run = "");

/// The states of a motion at these times, none of them outside of what is recorded. For what they
/// are between records, their bits and what is thrown see `RecordedMotion`.
StatesAt states_at(RecordedMotion& motion, std::span<const double> times);

/// States of a run in a result file, which is read anew: for one call. Throws as `read_motion` and
/// `RecordedMotion::rows_at`.
StatesAt states_at(const std::filesystem::path& file, const std::string& run,
                   std::span<const double> times);

}  // namespace dalembert::study
